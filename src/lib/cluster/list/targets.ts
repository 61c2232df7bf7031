import {RunError} from '../../domain/failure.ts'
import type {Target} from '../../domain/selection.ts'

/** kubectl's names of each resource whose pods can be meant; the first is the API's own. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  pods: ['pod', 'po'],
  deployments: ['deployment', 'deploy', 'deployments.apps', 'deployment.apps'],
  statefulsets: ['statefulset', 'sts', 'statefulsets.apps', 'statefulset.apps'],
  daemonsets: ['daemonset', 'ds', 'daemonsets.apps', 'daemonset.apps'],
  replicasets: ['replicaset', 'rs', 'replicasets.apps', 'replicaset.apps'],
  replicationcontrollers: ['replicationcontroller', 'rc'],
  jobs: ['job', 'jobs.batch', 'job.batch'],
  cronjobs: ['cronjob', 'cj', 'cronjobs.batch', 'cronjob.batch'],
  services: ['service', 'svc'],
}

const RESOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([resource, names]) => [resource, ...names].map((name) => [name, resource] as const)),
)

/** Names of API objects (RFC 1123 subdomain), so that nothing else gets into a path. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

/**
 * Reads a TARGET: `pod`, `type/name`, and either with `.namespace` after it, which only the cluster can tell from a
 * name with a dot. Throws RunError (exit 2) that lists the valid types.
 */
export function parseTarget(text: string): Target {
  const parts = text.split('/')
  const [type, name] = parts.length === 1 ? ['pods', parts[0]] : parts
  if (type === undefined || name === undefined || parts.length > 2 || !NAME.test(name)) {
    throw new RunError(2, 'usage', `Argument '${text}' is no TARGET`, [
      'A TARGET is a pod, or type/name, each also with .namespace after it: cart-1, deploy/cart, cart-1.shop',
    ])
  }
  const resource = RESOURCES.get(type.toLowerCase())
  if (resource === undefined) {
    const valid = Object.entries(NAMES).map(([known, names]) => names[1] ?? known)
    throw new RunError(2, 'usage', `Type '${type}' in '${text}' has no pods`, [`Valid types: ${valid.join(', ')}`])
  }
  return {text, resource, name}
}
