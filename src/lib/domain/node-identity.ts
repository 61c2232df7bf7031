import type {NodeIdentity} from './observation.ts'

/**
 * Which pod an Envoy node id names: `sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local` (Istio's
 * `pkg/model/proxy.go`). A namespace has no dots, a pod's name may have. `undefined` for the ids of other products.
 */
export function parseNodeId(id: string): NodeIdentity | undefined {
  const parts = id.split('~')
  if (parts.length !== 4) return undefined
  const [type = '', ip = '', workload = ''] = parts
  const dot = workload.lastIndexOf('.')
  if (type === '' || dot < 1 || dot === workload.length - 1) return undefined
  return {id, type, ip, pod: workload.slice(0, dot), namespace: workload.slice(dot + 1)}
}
