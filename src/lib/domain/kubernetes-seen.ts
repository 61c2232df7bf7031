import type {SecretItem} from './secret.ts'
import type {Spoken} from './spoken.ts'

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
