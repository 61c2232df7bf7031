import type {NodeIdentity} from '../domain/observation.ts'

/** What a dump's bootstrap says of the pod it is of. */
export interface NodeFacts {
  readonly identity: NodeIdentity
  /** Absent where the dump does not say. */
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly serviceAccount?: string
  readonly nodeName?: string
  readonly version?: string
  /** `deployments/cart`, from `kubernetes://apis/apps/v1/namespaces/shop/deployments/cart`. */
  readonly owner?: string
}

/**
 * The pod that an Envoy node id names: `sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local` (Istio's
 * `pkg/model/proxy.go`). A namespace has no dots, a pod's name may have.
 */
export function readNodeId(id: string): NodeIdentity | undefined {
  const [type = '', ip = '', workload = '', domain] = id.split('~')
  const dot = workload.lastIndexOf('.')
  if (domain === undefined || type === '' || dot < 1 || dot === workload.length - 1) return undefined
  return {id, type, ip, pod: workload.slice(0, dot), namespace: workload.slice(dot + 1)}
}
