import type {Certificate, CertificateBlock, CertificateStatus} from './certificate.ts'
import type {Side, Source} from './question.ts'
import type {ProxyState, Rejection, SecretType} from './secret.ts'

export type DiffResult =
  | 'MATCH'
  | 'MISMATCH'
  | 'ONLY_AGENT'
  | 'ONLY_PROXY'
  | 'PROXY_WARMING'
  | 'PENDING'
  | 'NOT_COMPARABLE'

export type ComparedBy = 'fingerprint' | 'serial' | 'expiry' | 'published' | 'presence' | 'none'

/** What a proxy's TLS contexts have loaded of a secret (Envoy's `/certs`). */
export interface ContextUse {
  /** This very certificate, by its serial and dates. */
  readonly loaded: boolean
  /** Certificates of the same names that contexts have loaded and no secret holds. */
  readonly others: readonly Certificate[]
}

/** What rows of either kind say of one secret item. */
export interface SecretRow {
  readonly name: string
  readonly type: SecretType
  /** The proxy's state; absent for an agent's item. */
  readonly state?: ProxyState
  /** The leaf of a chain, one root of a bundle; absent where there is none. */
  readonly certificate?: CertificateBlock
  /** The rest of a chain, in order of trust, each with its own status. */
  readonly chain: readonly {readonly certificate: CertificateBlock; readonly status: CertificateStatus}[]
  /** Absent for Generic and Ticket Keys. */
  readonly status?: CertificateStatus
  /** Why the status is INVALID, UNKNOWN or EMPTY; or what makes a valid leaf's chain invalid. */
  readonly statusReason?: string
  /** A root that is not valid now, in a bundle where another one is: a warning, not an invalid bundle. */
  readonly besideValid?: boolean
  /** Whole seconds until notAfter, negative once it is over. */
  readonly secondsLeft?: number
  /** The clock of who told it less ours, ms, where it is so far off that this row is judged by it. */
  readonly clockSkewMs?: number
  readonly trustDomain?: string
  readonly destination?: string
  /** Node agent pod's name (Istio's `source`). */
  readonly agentPod?: string
  readonly parts?: number
  readonly rejected?: Rejection
  readonly keyFound: boolean
  readonly origin?: string
  readonly lastUpdated?: string
  /** Absent where nobody told it, or it cannot be told: of a bundle, contexts list one root. */
  readonly contexts?: ContextUse
  readonly notes: readonly string[]
}

/** A SecretItemDiff: one secret item against the other side. */
export interface SecretDiffRow extends SecretRow {
  readonly agent: 'PRESENT' | ''
  readonly proxy: ProxyState | ''
  readonly result: DiffResult
  /** Empty where there is nothing to say. */
  readonly reason: string
  /** Stood at both readings, or was read from files, where one reading counts. */
  readonly confirmed: boolean
  readonly comparedBy: ComparedBy
  readonly agentSource?: Source
  readonly proxySource?: Source
  /** What follows the leaf at the agent, where the leaf is the same and the rest of the chain is not. */
  readonly agentChain?: readonly CertificateBlock[]
}

/** What one side holds of a secret that the two sides do not hold alike. */
export interface DifferingSide {
  readonly source?: Source
  /** A chain, leaf first; or one root. */
  readonly certificates: readonly CertificateBlock[]
}

/** Two certificates that should be one, or one that a side lacks: what `secrets diff --detail` tells of. */
export interface Difference {
  readonly name: string
  /** In words, with what only both certificates together tell: `proxy is stale by 1h58m`. */
  readonly reason: string
  readonly confirmed: boolean
  /** Absent where this side lacks it. */
  readonly agent?: DifferingSide
  readonly proxy?: DifferingSide
}

/** A row of `secrets list`: one secret item of one side. */
export interface SecretListRow extends SecretRow {
  readonly side: Side
  readonly source: Source
}

/** How far the signatures of one chain carry, and whether its own side trusts it. */
export interface ChainCheck {
  /**
   * For the leaf and each further certificate but the last: whether the next one has signed it; undefined where that
   * cannot be told, and for a self-signed one: what comes after a root is another root.
   */
  readonly signedByNext: readonly (boolean | undefined)[]
  /** Where the signatures end that begin with the leaf; undefined where that cannot be told. */
  readonly end: 'self-signed' | 'issuer-not-included' | undefined
  /** Whether a verifier with this side's roots takes the chain now; undefined where there is nothing to tell it by. */
  readonly verified: boolean | undefined
  /** Why, in words. */
  readonly reason: string
  /** The root of this side that the signatures lead to, and the secret that holds it. */
  readonly trustedBy?: {readonly name: string; readonly root: Certificate}
}

/** A row of `secrets show`: one secret item of one side, in full. */
export interface SecretShowRow extends SecretListRow {
  /** Absent for what is no chain. */
  readonly check?: ChainCheck
}
