import type {Certificate} from './certificate.ts'
import type {Failure} from './failure.ts'
import type {CountersSeen, ReadinessSeen} from './health-seen.ts'
import type {CertificatesManaged, DaemonSetSeen, KubernetesSecretSeen} from './kubernetes-seen.ts'
import type {CniSeen, IdentitiesExpected, ProxyUnknown, SpeakersSeen, SyncStatesSeen} from './mesh-seen.ts'
import type {Side} from './question.ts'
import type {ClusterRoleSeen, RoleBindingsSeen} from './roles-seen.ts'
import type {SigningEnd} from './roots.ts'
import type {SecretItem} from './secret.ts'
import type {Spoken} from './spoken.ts'

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

/** A control plane says when what it signs with ends. */
interface SigningSeen extends SigningEnd {
  readonly type: 'signing'
  readonly by: Spoken
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
