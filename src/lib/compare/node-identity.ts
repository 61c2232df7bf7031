import {parseNodeId} from '../domain/node-identity.ts'
import type {NodeIdentity} from '../domain/observation.ts'
import type {PodRef} from '../domain/pod.ts'

/** Whether an Envoy node id (`sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`) is of exactly this pod. */
export function isNodeOf(pod: PodRef, node: NodeIdentity | string): boolean {
  const identity = typeof node === 'string' ? parseNodeId(node) : node
  return identity?.pod === pod.name && identity.namespace === pod.namespace
}
