import type {ResourceType} from './resource-types.ts'

interface Column {
  readonly name: string
  readonly type: string
  /** 0 is shown always, 1 with `-o wide`. */
  readonly priority: number
  readonly cell: (object: JsonObject, nowMs: number) => string | number
}
type JsonObject = Readonly<Record<string, unknown>>

/**
 * The Table form of a list, which kubectl prints. `include` is what each row carries of its object:
 * `None`, `Metadata` (the default) or `Object`.
 */
export function tableOf(
  type: ResourceType,
  objects: readonly JsonObject[],
  include: string,
  nowMs: number,
): {readonly columnDefinitions: unknown; readonly rows: readonly unknown[]} {
  const columns = columnsOf(type)
  return {
    columnDefinitions: columns.map(({name, type: kind, priority}) => ({
      name,
      type: kind,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map(({cell}) => cell(object, nowMs)),
      ...(include === 'None'
        ? {}
        : {
            object:
              include === 'Object' ? {kind: type.kind, apiVersion: apiVersionOf(type), ...object} : metadataOf(object),
          }),
    })),
  }
}

/** The PartialObjectMetadata form of an object. */
export function metadataOf(object: JsonObject): unknown {
  return {kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object['metadata']}
}

export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

function columnsOf(type: ResourceType): readonly Column[] {
  const name = column('Name', (object) => textAt(object, 'metadata', 'name'))
  const age = column('Age', (object, nowMs) => ageOf(textAt(object, 'metadata', 'creationTimestamp'), nowMs))
  switch (type.kind) {
    case 'Pod':
      return [
        name,
        column('Ready', readiness),
        column('Status', podStatus),
        column('Restarts', restarts),
        age,
        column('IP', (pod) => orNone(textAt(pod, 'status', 'podIP')), 1),
        column('Node', (pod) => orNone(textAt(pod, 'spec', 'nodeName')), 1),
        column('Nominated Node', () => '<none>', 1),
        column('Readiness Gates', () => '<none>', 1),
      ]
    case 'Node':
      return [
        name,
        column('Status', () => 'Ready'),
        column('Roles', () => '<none>'),
        age,
        column('Version', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
      ]
    case 'Namespace':
      return [name, column('Status', () => 'Active'), age]
    case 'ConfigMap':
      return [name, column('Data', (object) => Object.keys(asObject(object['data'])).length), age]
    case 'Service':
      return [
        name,
        column('Type', (service) => textAt(service, 'spec', 'type')),
        column('Cluster-IP', (service) => orNone(textAt(service, 'spec', 'clusterIP'))),
        age,
      ]
    case 'Deployment':
    case 'StatefulSet':
      return [
        name,
        column(
          'Ready',
          (owner) => `${numberAt(owner, 'status', 'readyReplicas')}/${numberAt(owner, 'spec', 'replicas')}`,
        ),
        age,
      ]
    default:
      return [name, age]
  }
}

function column(name: string, cell: Column['cell'], priority = 0): Column {
  return {name, type: 'string', priority, cell}
}

function containerStatuses(pod: JsonObject): readonly JsonObject[] {
  const status = asObject(pod['status'])
  const sidecars = listOf(asObject(pod['spec'])['initContainers'])
    .filter((container) => container['restartPolicy'] === 'Always')
    .map((container) => container['name'])
  return [
    ...listOf(status['initContainerStatuses']).filter((entry) => sidecars.includes(entry['name'])),
    ...listOf(status['containerStatuses']),
  ]
}

function readiness(pod: JsonObject): string {
  const spec = asObject(pod['spec'])
  const sidecars = listOf(spec['initContainers']).filter((container) => container['restartPolicy'] === 'Always')
  const total = listOf(spec['containers']).length + sidecars.length
  return `${String(containerStatuses(pod).filter((entry) => entry['ready'] === true).length)}/${String(total)}`
}

function podStatus(pod: JsonObject): string {
  const waiting = containerStatuses(pod)
    .map((entry) => textAt(entry, 'state', 'waiting', 'reason'))
    .find((reason) => reason !== '')
  const phase = textAt(pod, 'status', 'phase')
  return waiting ?? (phase === 'Succeeded' ? 'Completed' : textAt(pod, 'status', 'reason') || phase)
}

function restarts(pod: JsonObject): string {
  const counts = containerStatuses(pod).map((entry) => Number(entry['restartCount'] ?? 0))
  return String(counts.reduce((sum, value) => sum + value, 0))
}

function ageOf(created: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(created)) / 1000))
  if (Number.isNaN(seconds)) return '<unknown>'
  if (seconds < 120) return `${String(seconds)}s`
  if (seconds < 7200) return `${String(Math.floor(seconds / 60))}m`
  if (seconds < 172_800) return `${String(Math.floor(seconds / 3600))}h`
  return `${String(Math.floor(seconds / 86_400))}d`
}

function orNone(text: string): string {
  return text === '' ? '<none>' : text
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

function textAt(object: JsonObject, ...path: readonly string[]): string {
  let value: unknown = object
  for (const field of path) value = asObject(value)[field]
  return typeof value === 'string' ? value : ''
}

function numberAt(object: JsonObject, ...path: readonly string[]): string {
  let value: unknown = object
  for (const field of path) value = asObject(value)[field]
  return String(typeof value === 'number' ? value : 0)
}
