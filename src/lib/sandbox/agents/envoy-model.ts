import type {EnvoySecret} from './envoy-secret.ts'

/** What a simulated Envoy is: enough to answer its admin interface. */
export interface EnvoyModel {
  /** Envoy node id, `sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`. */
  readonly nodeId: string
  readonly cluster: string
  readonly istioVersion: string
  readonly startedMs: number
  /** As they stand now: a test may change what it returns between two readings. */
  readonly secrets: () => readonly EnvoySecret[]
  /** What `/ready` says; `LIVE` alone is good. */
  readonly serverState: () => 'LIVE' | 'PRE_INITIALIZING' | 'DRAINING'
  /** Clusters in the dump besides `xds-grpc`; a dump of megabytes is made of them. */
  readonly extraClusters: number
}
