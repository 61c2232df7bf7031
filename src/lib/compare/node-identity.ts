import type {NodeIdentity} from '../domain/observation.ts'
import type {PodRef} from '../domain/pod.ts'

/**
 * Whether an Envoy node id (`sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`) is of exactly this pod.
 * Pod names may hold dots, namespaces may not, so the third part is split at its last dot.
 */
export function isNodeOf(pod: PodRef, node: NodeIdentity | string): boolean {
  if (typeof node !== 'string') return node.pod === pod.name && node.namespace === pod.namespace
  const parts = node.split('~')
  return parts.length === 4 && parts[2] === `${pod.name}.${pod.namespace}`
}
