import type {CertificateBlock, CertificateStatus} from './certificate.ts'
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
  readonly trustDomain?: string
  readonly destination?: string
  /** Node agent pod's name (Istio's `source`). */
  readonly agentPod?: string
  readonly parts?: number
  readonly rejected?: Rejection
  readonly keyFound: boolean
  readonly origin?: string
  readonly lastUpdated?: string
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
}

/** A row of `secrets list`: one secret item of one side. */
export interface SecretListRow extends SecretRow {
  readonly side: Side
  readonly source: Source
}
