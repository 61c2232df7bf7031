import type {Certificate} from './certificate.ts'

/** Who of a pod's certificates has signed whom, all of them by fingerprint. Plain data: whoever made it did the sums. */
export interface Signatures {
  /** Of each certificate, those that signed it; itself where it is self-signed. */
  readonly issuers: ReadonlyMap<string, ReadonlySet<string>>
  /** Certificates of which not every possible issuer was tried: there were too many of one name. */
  readonly untried: ReadonlySet<string>
}

/** Whether `issuer` has signed `subject`; undefined where it was not tried, or only facts of one of them are known. */
export function isSignedBy(subject: Certificate, issuer: Certificate, signatures: Signatures): boolean | undefined {
  if (subject.fingerprint === undefined || issuer.fingerprint === undefined) return undefined
  const issuers = signatures.issuers.get(subject.fingerprint)
  if (issuers?.has(issuer.fingerprint) === true) return true
  return issuers === undefined || signatures.untried.has(subject.fingerprint) ? undefined : false
}
