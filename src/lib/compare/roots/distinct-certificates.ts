import type {Certificate} from '../../domain/certificate.ts'

/** Certificates, each once. Those without a fingerprint are taken for one. */
export function distinctCertificates(certificates: readonly Certificate[]): readonly Certificate[] {
  return [...new Map(certificates.map((one) => [one.fingerprint, one])).values()]
}
