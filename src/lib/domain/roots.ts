import type {Certificate, CertificateStatus} from './certificate.ts'
import type {PodRef} from './pod.ts'
import type {Source} from './question.ts'

/** A root, and whether a verifier takes it at the moment of the pod that holds it. */
export interface RootHeld {
  readonly certificate: Certificate
  readonly status: CertificateStatus
}

/** Mesh roots that one pod holds for one use. */
export interface TrustBundle {
  /** Whose certificates they are for; absent for those of any trust domain (ROOTCA). */
  readonly trustDomain?: string
  /** Secret that holds them. */
  readonly name: string
  readonly source: Source
  /** Each once. */
  readonly roots: readonly RootHeld[]
  /** Why there may be more roots than are told; absent where all are. */
  readonly untold?: string
}

/** An identity of the mesh that a pod shows, and what its chain leads to. */
export interface MeshLeaf {
  readonly trustDomain: string
  /** Roots at hand in that pod that its signatures lead to; none where whoever signed it is not there. */
  readonly endsIn: readonly Certificate[]
  /** Certificates shown with it that signed those below them: a root of the same name and key checks it elsewhere. */
  readonly issuers: readonly Certificate[]
  /** Last certificate that the signatures lead to (the leaf itself, or an intermediate) where its signer is not at hand. */
  readonly top?: Certificate
}

/** When something ends that a control plane signs with: the certificate of its key, or its root where that is one. */
export interface SigningEnd {
  readonly of: 'issuer' | 'root'
  /** Ms since 1970, by our clock. */
  readonly notAfterMs: number
}

/** What one pod says of mesh roots. */
export interface PodRoots {
  readonly bundles: readonly TrustBundle[]
  readonly leaves: readonly MeshLeaf[]
  /** Why it is not known what an identity leads to that it shows; absent where it is of all. */
  readonly untoldLeaf?: string
  /** What the control plane publishes for its namespace; absent where that was not read. */
  readonly published?: readonly Certificate[]
  /** What control planes say that they sign with. */
  readonly signing: readonly SigningEnd[]
}

/** A root that is asked about: by its fingerprint or the beginning of it, and where it was given whole, that. */
export interface WantedRoot {
  /** Lower-case hex of the SHA-256, at least 16 digits. */
  readonly fingerprint: string
  readonly certificate?: Certificate
}

/** What is asked of a fleet beside which roots there are. */
export interface RootQuestions {
  /** `--expect`: may certificates be signed with it? */
  readonly expect?: WantedRoot
  /** `--without`: may it go? */
  readonly without?: WantedRoot
}

/** A pod, and why it counts as it does. */
export interface PodReason {
  readonly pod: PodRef
  readonly reason: string
}

/** The answer to one question on a root. */
export interface RootAnswer {
  readonly question: 'expect' | 'without'
  readonly wanted: WantedRoot
  /** `unknown`: nobody is known to break, and of somebody it is not known. */
  readonly verdict: 'pass' | 'fail' | 'unknown'
  /** Why it fails whoever the pods are: it has ended. */
  readonly because?: string
  readonly wouldBreak: readonly PodReason[]
  readonly notProven: readonly PodReason[]
  /** Pods of which it was found that they would not break. */
  readonly wellCount: number
}

/** One root of one trust domain, over all pods. */
export interface FleetRoot {
  /** Empty where none of the pods that hold it has an identity. */
  readonly trustDomain: string
  readonly certificate: Certificate
  readonly status: CertificateStatus
  readonly secondsLeft: number
  /** Pods that trust it. */
  readonly trustedBy: number
  /** Pods that trust any root for that trust domain. */
  readonly verifiers: number
  /** Pods with a chain that ends in it. */
  readonly leaves: number
  /** Namespaces for which it is published, of those of which that is known. */
  readonly published: {readonly namespaces: number; readonly of: number}
  /** A control plane says that it signs under it: by when it ends, or an issuer that leads to it. */
  readonly isSigning: boolean
}

/** What is said of the mesh roots of all pods together. */
export interface FleetRoots {
  readonly roots: readonly FleetRoot[]
  readonly answers: readonly RootAnswer[]
  /** Pods whose chain ends in no root that anybody holds. */
  readonly orphans: readonly PodReason[]
  /** Verifiers that cannot check certificates which other pods show. */
  readonly blind: readonly PodReason[]
}
