import type {
  Container,
  ContainerPort,
  ContainerRole,
  ContainerState,
  OwnerRef,
  Pod,
  PodCondition,
  VolumeMount,
} from '../../domain/pod.ts'
import {fieldsOf, isFields, listOf, present, textOf, textsOf, type Fields} from '../narrow.ts'

/** kubectl's copy of a whole manifest: large, and nothing here reads it. */
const COPY_OF_MANIFEST = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The part of a Kubernetes Pod object that this program uses. Any field may be absent or null; `undefined` for what
 * has no name, which is no pod. `context` is set where several clusters are asked.
 */
export function projectPod(item: unknown, context?: string): Pod | undefined {
  const {metadata, spec, status} = fieldsOf(item)
  const meta = fieldsOf(metadata)
  const wanted = fieldsOf(spec)
  const seen = fieldsOf(status)
  const name = textOf(meta['name'])
  if (name === undefined) return undefined
  const {[COPY_OF_MANIFEST]: _copy, ...annotations} = textsOf(meta['annotations'])
  return {
    ...present('context', context),
    namespace: textOf(meta['namespace']) ?? '',
    name,
    uid: textOf(meta['uid']) ?? '',
    ...present('node', textOf(wanted['nodeName'])),
    labels: textsOf(meta['labels']),
    annotations,
    owners: each(meta['ownerReferences'], projectOwner),
    ...present('serviceAccount', textOf(wanted['serviceAccountName'])),
    phase: textOf(seen['phase']) ?? '',
    ...present('reason', textOf(seen['reason'])),
    ...present('message', textOf(seen['message'])),
    ips: projectIps(seen),
    hostNetwork: wanted['hostNetwork'] === true,
    ...present('os', textOf(fieldsOf(wanted['os'])['name'])),
    ...present('createdAt', textOf(meta['creationTimestamp'])),
    ...present('deletedAt', textOf(meta['deletionTimestamp'])),
    conditions: each(seen['conditions'], projectCondition),
    containers: projectContainers(wanted, seen),
    volumes: projectVolumes(wanted['volumes']),
  }
}

function each<Value>(list: unknown, project: (fields: Fields) => Value | undefined): Value[] {
  return listOf(list)
    .filter((item) => isFields(item))
    .map(project)
    .filter((value) => value !== undefined)
}

function projectOwner(fields: Fields): OwnerRef | undefined {
  const kind = textOf(fields['kind'])
  const name = textOf(fields['name'])
  return kind === undefined || name === undefined ? undefined : {kind, name, uid: textOf(fields['uid']) ?? ''}
}

function projectIps(status: Fields): string[] {
  const ips = each(status['podIPs'], ({ip}) => textOf(ip))
  const first = textOf(status['podIP'])
  return [...new Set(ips.length === 0 && first !== undefined ? [first] : ips)]
}

function projectCondition(fields: Fields): PodCondition | undefined {
  const type = textOf(fields['type'])
  if (type === undefined) return undefined
  return {type, status: textOf(fields['status']) ?? 'Unknown', ...present('reason', textOf(fields['reason']))}
}

function projectContainers(spec: Fields, status: Fields): Container[] {
  const initStatuses = statusesByName(status['initContainerStatuses'])
  const statuses = statusesByName(status['containerStatuses'])
  return [
    // An init container that is restarted for ever is a sidecar (KEP-753).
    ...each(spec['initContainers'], (fields) =>
      projectContainer(fields, fields['restartPolicy'] === 'Always' ? 'sidecar' : 'init', initStatuses),
    ),
    ...each(spec['containers'], (fields) => projectContainer(fields, 'container', statuses)),
  ]
}

function statusesByName(list: unknown): ReadonlyMap<string, Fields> {
  const byName = new Map<string, Fields>()
  for (const item of listOf(list)) {
    const name = textOf(fieldsOf(item)['name'])
    if (name !== undefined) byName.set(name, fieldsOf(item))
  }
  return byName
}

function projectContainer(
  fields: Fields,
  role: ContainerRole,
  statuses: ReadonlyMap<string, Fields>,
): Container | undefined {
  const name = textOf(fields['name'])
  if (name === undefined) return undefined
  const status = statuses.get(name) ?? {}
  const restarts = status['restartCount']
  return {
    name,
    image: textOf(fields['image']) ?? '',
    role,
    command: textList(fields['command']),
    args: textList(fields['args']),
    env: projectEnv(fields['env']),
    ports: each(fields['ports'], projectPort),
    mounts: each(fields['volumeMounts'], projectMount),
    state: projectState(status['state']),
    ...present('lastEnd', projectLastEnd(status['lastState'])),
    ready: status['ready'] === true,
    restarts: typeof restarts === 'number' ? restarts : 0,
  }
}

function textList(list: unknown): string[] {
  return listOf(list).filter((item) => typeof item === 'string')
}

function projectEnv(list: unknown): Record<string, string> {
  const env = new Map<string, string>()
  for (const item of listOf(list)) {
    const {name, value, valueFrom} = fieldsOf(item)
    if (typeof name !== 'string') continue
    // An empty value is left out of JSON; one that comes from elsewhere is not known here, and hides an earlier one.
    if (isFields(valueFrom)) env.delete(name)
    else env.set(name, typeof value === 'string' ? value : '')
  }
  return Object.fromEntries(env)
}

function projectPort(fields: Fields): ContainerPort | undefined {
  const port = fields['containerPort']
  if (typeof port !== 'number') return undefined
  return {...present('name', textOf(fields['name'])), port, protocol: textOf(fields['protocol']) ?? 'TCP'}
}

function projectMount(fields: Fields): VolumeMount | undefined {
  const name = textOf(fields['name'])
  const path = textOf(fields['mountPath'])
  return name === undefined || path === undefined ? undefined : {name, path}
}

function projectState(state: unknown): ContainerState {
  for (const phase of ['running', 'terminated', 'waiting'] as const) {
    const fields = fieldsOf(state)[phase]
    if (!isFields(fields)) continue
    const exitCode = fields['exitCode']
    return {
      phase,
      ...present('reason', textOf(fields['reason'])),
      ...present('message', textOf(fields['message'])),
      ...(typeof exitCode === 'number' ? {exitCode} : {}),
    }
  }
  return {phase: 'unknown'}
}

function projectLastEnd(state: unknown): ContainerState | undefined {
  const end = projectState(state)
  return end.phase === 'terminated' ? end : undefined
}

function projectVolumes(list: unknown): Record<string, string> {
  const volumes = new Map<string, string>()
  for (const item of listOf(list)) {
    const {name, ...kinds} = fieldsOf(item)
    const kind = Object.keys(kinds).find((key) => isFields(kinds[key]))
    // A volume without a kind is an emptyDir, as Kubernetes defaults it.
    if (typeof name === 'string') volumes.set(name, kind ?? 'emptyDir')
  }
  return Object.fromEntries(volumes)
}
