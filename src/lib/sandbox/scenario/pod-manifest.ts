import type {Manifest} from '../world.ts'
import {rfc3339, uidOf} from './object-values.ts'
import {scheduledStatus, unscheduledStatus} from './pod-status.ts'

/** A pod's owner as it stands in `ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

/** What every pod has, whatever runs in it. */
export interface PodIdentity {
  readonly namespace: string
  readonly name: string
  readonly serviceAccount: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly owner?: OwnerReference
  /** Absent while the pod is not scheduled. */
  readonly node?: {readonly name: string; readonly address: string}
  readonly address: string
  readonly createdMs: number
}

/** A part of an object, as JSON has it. */
export type Spec = Readonly<Record<string, unknown>>

/** A container in a pod: its spec, and how it fares. */
export interface ContainerPlan {
  readonly spec: Spec & {readonly name: string; readonly image: string}
  /** `crashing`: it waits to be started again, after it was out of memory; `unready`: it runs, and is not ready. */
  readonly state: 'running' | 'completed' | 'waiting' | 'crashing' | 'unready'
}

export interface PodPlan {
  readonly identity: PodIdentity
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly containers: readonly ContainerPlan[]
  readonly initContainers?: readonly ContainerPlan[]
  readonly volumes?: readonly unknown[]
}

/** The Pod object, with all that a server adds: status, owners, managed fields. */
export function podManifest(plan: PodPlan): Manifest {
  const {identity} = plan
  const created = rfc3339(identity.createdMs)
  const spec = podSpec(plan)
  const metadata = {
    ...(identity.annotations === undefined ? {} : {annotations: identity.annotations}),
    creationTimestamp: created,
    generation: 1,
    labels: identity.labels,
    name: identity.name,
    namespace: identity.namespace,
    ...(identity.owner === undefined
      ? {}
      : {ownerReferences: [{...identity.owner, blockOwnerDeletion: true, controller: true}]}),
    resourceVersion: '1000',
    uid: uidOf('Pod', identity.namespace, identity.name),
  }
  const fields = {'f:metadata': fieldsOf({labels: identity.labels}), 'f:spec': fieldsOf(spec)}
  const managed = {apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields, manager: 'kube-controller-manager'}
  return {
    metadata: {...metadata, managedFields: [{...managed, operation: 'Update', time: created}]},
    spec,
    status: identity.node === undefined ? unscheduledStatus(created) : scheduledStatus(plan, identity.node, created),
  }
}

function podSpec({identity, containers, initContainers, volumes}: PodPlan): Spec {
  return {
    containers: containers.map(({spec}) => withDefaults(spec)),
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    ...(initContainers === undefined ? {} : {initContainers: initContainers.map(({spec}) => withDefaults(spec))}),
    ...(identity.node === undefined ? {} : {nodeName: identity.node.name}),
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccount: identity.serviceAccount,
    serviceAccountName: identity.serviceAccount,
    terminationGracePeriodSeconds: 30,
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      effect: 'NoExecute',
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      tolerationSeconds: 300,
    })),
    volumes: [...(volumes ?? []), tokenVolume],
  }
}

const tokenVolume = {
  name: 'kube-api-access',
  projected: {
    defaultMode: 420,
    sources: [
      {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
      {configMap: {items: [{key: 'ca.crt', path: 'ca.crt'}], name: 'kube-root-ca.crt'}},
      {downwardAPI: {items: [{fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}, path: 'namespace'}]}},
    ],
  },
}

function withDefaults(spec: Spec): Spec {
  return {
    imagePullPolicy: 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...spec,
  }
}

/** The tree of a FieldsV1: it makes up a third of a real pod's size. */
function fieldsOf(value: unknown): Spec {
  if (Array.isArray(value)) {
    return Object.fromEntries(
      value.map((item: unknown, index) => {
        const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : index
        return [`k:${JSON.stringify({name})}`, {'.': {}, ...fieldsOf(item)}]
      }),
    )
  }
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [`f:${key}`, fieldsOf(part)]))
}
