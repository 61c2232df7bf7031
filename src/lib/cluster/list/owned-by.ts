import type {Pod} from '../../domain/pod.ts'

/** The kind that stands in a pod's ownerReferences for each resource that owns pods directly. */
const KINDS: Readonly<Record<string, string>> = {
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  replicasets: 'ReplicaSet',
  replicationcontrollers: 'ReplicationController',
  jobs: 'Job',
}

/**
 * How a pod shows by itself that an owner made it, for an owner that may not be read; `undefined` for one that
 * leaves no trace in its pods (a Service). A Deployment names its ReplicaSets `name-hash` and labels the pods with the
 * hash; a CronJob names its Jobs `name-minutes`.
 */
export function ownedBy(resource: string, name: string): ((pod: Pod) => boolean) | undefined {
  if (resource === 'deployments') {
    return (pod) => {
      const hash = pod.labels['pod-template-hash']
      return (
        hash !== undefined &&
        pod.owners.some((owner) => owner.kind === 'ReplicaSet' && owner.name === `${name}-${hash}`)
      )
    }
  }
  if (resource === 'cronjobs') {
    return (pod) =>
      pod.owners.some(
        (owner) =>
          owner.kind === 'Job' && owner.name.startsWith(`${name}-`) && /^\d+$/.test(owner.name.slice(name.length + 1)),
      )
  }
  const kind = KINDS[resource]
  return kind === undefined
    ? undefined
    : (pod) => pod.owners.some((owner) => owner.kind === kind && owner.name === name)
}
