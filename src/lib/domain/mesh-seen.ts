import type {PodRef} from './pod.ts'
import type {Spoken} from './spoken.ts'

/** A pod that a ztunnel serves. */
export interface Workload {
  readonly namespace: string
  readonly name: string
  /** SPIFFE id. */
  readonly identity: string
}

/** ztunnel: who it should hold certificates for. */
export interface IdentitiesExpected {
  readonly type: 'identities-expected'
  readonly by: Spoken
  /** SPIFFE ids; each once. */
  readonly identities: readonly string[]
  /** The pods that they are of. */
  readonly workloads: readonly Workload[]
}

/** A pod that may speak for others. */
export interface Speaker extends PodRef {
  /** Control plane revision, from its label. */
  readonly revision?: string
  /** Port of its metrics, where an annotation names one. */
  readonly metricsPort?: number
}

/** Other pods that a source of this pod answers from; each is asked in the next round. */
export interface SpeakersSeen {
  readonly type: 'speakers'
  readonly by: Spoken
  readonly pods: readonly Speaker[]
}

/** An istiod that this pod's proxy is not connected to: another one may know it. */
export interface ProxyUnknown {
  readonly type: 'proxy-unknown'
  readonly by: Spoken
  /** The istiod. */
  readonly at: PodRef
  /** The proxy that it answered for instead, `pod.namespace`. */
  readonly instead?: string
}

/** How far a proxy is with one type of its configuration; a type that it does not watch stands in no list. */
export interface TypeSync {
  /** `CDS`, `LDS`, …; the last part of the type's URL where it has no such name; `all` where one pair stood for all. */
  readonly type: string
  readonly state: 'SYNCED' | 'STALE' | 'NOT SENT' | 'ERROR'
  /** When the last one was sent, by istiod's clock, ms since 1970 (1.23+). */
  readonly sentMs?: number
  /** STALE, and none was ever taken up. */
  readonly neverAcked?: true
  /** Why the proxy refused the last one. Foreign, in one line. */
  readonly error?: string
}

/** One connection of a proxy to an istiod. */
export interface ProxySync {
  /** The proxy's own version, as it says. */
  readonly version?: string
  /** The cluster that it says it is in. */
  readonly clusterId?: string
  /** `sidecar`, `router`, `waypoint`, `ztunnel` (1.18+). */
  readonly kind?: string
  readonly types: readonly TypeSync[]
}

/** Which proxies are connected to one istiod, and how far they are. */
export interface SyncStatesSeen {
  readonly type: 'sync-states'
  readonly by: Spoken
  readonly istiod: PodRef
  /** Of the istiod itself. */
  readonly version?: string
  /** When it said so, by its own clock, ms since 1970. */
  readonly atMs: number
  /** By `pod.namespace`; one that has just connected anew may be listed twice. */
  readonly proxies: ReadonlyMap<string, readonly ProxySync[]>
}

/** What a node's istio-cni says of itself. */
export interface CniSeen {
  readonly type: 'cni'
  readonly by: Spoken
  /** Its plugin is installed on the node (`istio_cni_install_ready`); absent where it says nothing of it. */
  readonly installed?: boolean
  /** The node's ztunnel is connected to it (`ztunnel_connected`); absent outside an ambient mesh. */
  readonly ztunnelConnected?: boolean
}
