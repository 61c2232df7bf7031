import type {CertificateBlock} from '../domain/certificate.ts'

const SPIFFE_ID = /^spiffe:\/\/([^/]+)/

/** Trust domain of a certificate's SPIFFE id, or of a bare id; undefined where there is none. */
export function trustDomainOf(of: CertificateBlock | string | undefined): string | undefined {
  const id = typeof of === 'string' ? of : of?.readable === true ? of.spiffeIds[0] : undefined
  return id === undefined ? undefined : SPIFFE_ID.exec(id)?.[1]
}
