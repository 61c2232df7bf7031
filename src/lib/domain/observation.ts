import type {Certificate} from './certificate.ts'
import type {Failure} from './failure.ts'
import type {PodRef} from './pod.ts'
import type {Route, Side, Source} from './question.ts'
import type {SigningEnd} from './roots.ts'
import type {SecretItem} from './secret.ts'

/** Who said it, how it was reached, and by whose clock. */
export interface Spoken {
  readonly source: Source
  readonly route: Route
  /** Answerer's clock less ours, in ms; absent where it sent no `Date`. */
  readonly skewMs?: number
}

/** Which pod an answer says it is of (`sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`). */
export interface NodeIdentity {
  readonly id: string
  readonly type: string
  readonly ip: string
  readonly pod: string
  readonly namespace: string
}

/** Secrets that one side holds. */
export interface SecretsSeen {
  readonly type: 'secrets'
  readonly by: Spoken
  readonly side: Side
  readonly items: readonly SecretItem[]
  /** `true` where the source lists every secret of its side: only then is a missing name absent. */
  readonly complete: boolean
  /** Which pod the answer is of, where it says so. */
  readonly node?: NodeIdentity
  /** `no secrets`, `SDS secret ROOTCA is waited for by a listener`, `skipped 2 lines before the JSON`. */
  readonly notes: readonly string[]
}

/** The second at which the agent's certificate ends, and nothing else of it. */
export interface ExpirySeen {
  readonly type: 'expiry'
  readonly by: Spoken
  readonly name: string
  /** Ms since 1970, by our clock, corrected by the answer's own. */
  readonly notAfterMs: number
  /** What it was counted from: `answer date`, `--now`, `file time`, `our clock`. */
  readonly countedFrom: string
}

/** What the control plane hands out now as roots. */
export interface PublishedRoots {
  readonly type: 'published-roots'
  readonly by: Spoken
  readonly roots: readonly Certificate[]
  /** The object that they are from, where it is not the ConfigMap that every namespace has: `ClusterTrustBundle …`. */
  readonly from?: string
}

/** A condition of a Kubernetes object; the texts are foreign. */
export interface ObjectCondition {
  readonly isTrue: boolean
  readonly reason: string
  readonly message: string
}

/** A Certificate of cert-manager: it keeps one Secret's certificate new. */
export interface ManagedCertificate {
  readonly name: string
  /** The Secret, in the same namespace. */
  readonly secretName: string
  /** End of the certificate that the Secret holds; absent where none was issued yet, or its time cannot be read. */
  readonly notAfterMs?: number
  /** When the next one is due. */
  readonly renewalMs?: number
  /** Absent where no controller has looked at it yet. */
  readonly ready?: ObjectCondition
  /** The next certificate is on its way. */
  readonly isIssuing: boolean
  /** What is wrong with its content: `status.notAfter is no time`. */
  readonly problems: readonly string[]
}

/** A page of the Certificates of one namespace. */
export interface CertificatesManaged {
  readonly type: 'certificates-managed'
  readonly by: Spoken
  readonly namespace: string
  readonly certificates: readonly ManagedCertificate[]
  /** The server's token for the next page; absent at the end. */
  readonly next?: string
}

/** What certificates one part of a Secret holds. */
export type CertificatePart = Pick<SecretItem, 'certificates' | 'absent' | 'keyFound' | 'notes'>

/** The certificates of one Secret of Kubernetes, or that there is no such Secret. */
export interface KubernetesSecretSeen {
  readonly type: 'kubernetes-secret'
  readonly by: Spoken
  readonly namespace: string
  readonly name: string
  readonly exists: boolean
  /** Absent where it has no such part. */
  readonly chain?: CertificatePart
  readonly roots?: CertificatePart
}

/** A control plane says when what it signs with ends. */
interface SigningSeen extends SigningEnd {
  readonly type: 'signing'
  readonly by: Spoken
}

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
interface SpeakersSeen {
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

/** How many nodes a DaemonSet is meant for, and on how many its pods are. */
export interface DaemonSetSeen {
  readonly type: 'daemon-set'
  readonly by: Spoken
  readonly namespace: string
  readonly name: string
  readonly desired: number
  readonly ready: number
  /** A change of it is on its way: not all of its pods are of its newest template. */
  readonly isRollingOut: boolean
}

/** Whether one side says of itself that it is ready. */
export interface ReadinessSeen {
  readonly type: 'readiness'
  readonly by: Spoken
  readonly side: Side
  readonly ready: boolean
  /** Status of the HTTP answer. */
  readonly status: number
  /** What it said: `LIVE`, `not ready, pending: proxy`; absent where it said nothing. Foreign. */
  readonly text?: string
}

/** What agents count. */
export type CounterName =
  | 'csrs-sent'
  | 'csrs-failed'
  | 'istiod-connection-failures'
  | 'istiod-connection-errors'
  | 'scrape-failures'

/** What was added to counters within so many ms. */
interface CounterSample {
  readonly ms: number
  readonly grown: Readonly<Record<CounterName, number>>
}

/** What an agent has counted since it was started; what it does not name, it never counted. */
export interface CountersSeen {
  readonly type: 'counters'
  readonly by: Spoken
  readonly counts: Readonly<Record<CounterName, number>>
  /** With `--sample`: what was added within a while, or why they could not be read a second time. */
  readonly sample?: CounterSample | {readonly failure: Failure}
}

/** A ClusterRole, and to whom a ClusterRoleBinding gives it. */
export interface RoleBinding {
  readonly name: string
  readonly role: string
  /** Service accounts as `namespace/name`. */
  readonly accounts: readonly string[]
  readonly groups: readonly string[]
}

/** A page of the ClusterRoleBindings, those to users alone left out. */
export interface RoleBindingsSeen {
  readonly type: 'role-bindings'
  readonly by: Spoken
  readonly bindings: readonly RoleBinding[]
  /** The server's token for the next page; absent at the end. */
  readonly next?: string
}

/** One rule of a role: these verbs, on these resources or paths. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  /** API groups; `''` is the core group. */
  readonly groups: readonly string[]
  readonly resources: readonly string[]
  /** Whether it is about single objects by their names alone. */
  readonly isOfNamed: boolean
  /** Paths that are no resources. */
  readonly paths: readonly string[]
}

/** What a ClusterRole allows. */
export interface ClusterRoleSeen {
  readonly type: 'cluster-role'
  readonly by: Spoken
  readonly name: string
  readonly rules: readonly PolicyRule[]
}

/** A part of an answer that could not be used; the rest of that answer stands beside it. */
export interface Unusable {
  readonly type: 'unusable'
  readonly failure: Failure
}

export type Observation =
  | SecretsSeen
  | ExpirySeen
  | PublishedRoots
  | SigningSeen
  | CertificatesManaged
  | KubernetesSecretSeen
  | IdentitiesExpected
  | SpeakersSeen
  | ProxyUnknown
  | SyncStatesSeen
  | CniSeen
  | DaemonSetSeen
  | ReadinessSeen
  | CountersSeen
  | RoleBindingsSeen
  | ClusterRoleSeen
  | Unusable
