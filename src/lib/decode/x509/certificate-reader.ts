import {hash} from 'node:crypto'
import {type CertificateFacts, cutCertificate, hasIssued, NO_CERTIFICATE, readCertificate} from './read-certificate.ts'

/** Reads certificates, and remembers those that it has seen: the same root is in every pod of a mesh. */
export interface CertificateReader {
  /** What the certificate at the beginning of `bytes` (DER) says; or in words why there is none. */
  read(bytes: Uint8Array): CertificateFacts | string
  /** Whether `issuer` has signed `subject`. */
  issued(issuer: CertificateFacts, subject: CertificateFacts): boolean
}

export interface CertificateReaderOptions {
  /** Certificates, and pairs of issuer and subject, to remember; the longest unused are forgotten first. */
  readonly maxEntries: number
}

/** A reader with a bounded memory, keyed by the SHA-256 of the DER. */
export function createCertificateReader({maxEntries}: CertificateReaderOptions): CertificateReader {
  const certificates = new Map<string, CertificateFacts>()
  const issues = new Map<string, boolean>()

  return {
    read(bytes) {
      const der = cutCertificate(bytes)
      if (typeof der === 'string') return der
      const fingerprint = hash('sha256', der)
      const known = recall(certificates, fingerprint)
      if (known !== undefined) return known
      const certificate = readCertificate(der, fingerprint)
      if (certificate === undefined) return NO_CERTIFICATE
      remember(certificates, fingerprint, certificate, maxEntries)
      return certificate
    },
    issued(issuer, subject) {
      const pair = `${issuer.fingerprint}>${subject.fingerprint}`
      const known = recall(issues, pair)
      if (known !== undefined) return known
      const answer = hasIssued(issuer, subject)
      remember(issues, pair, answer, maxEntries)
      return answer
    },
  }
}

/** What is recalled becomes the newest: a Map keeps the order of insertion. */
function recall<Value>(memory: Map<string, Value>, key: string): Value | undefined {
  const value = memory.get(key)
  if (value === undefined) return undefined
  memory.delete(key)
  memory.set(key, value)
  return value
}

function remember<Value>(memory: Map<string, Value>, key: string, value: Value, maxEntries: number): void {
  memory.set(key, value)
  if (memory.size <= maxEntries) return
  const oldest = memory.keys().next()
  if (!oldest.done) memory.delete(oldest.value)
}
