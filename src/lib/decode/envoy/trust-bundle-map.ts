import {isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {parseRecord} from '../json/parse-record.ts'
import {bundleSet, type CertificateSet} from '../pem/certificate-set.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'

/** The roots of one trust domain. */
export type TrustDomainBundle = CertificateSet & {readonly trustDomain?: string}

/**
 * A SPIFFE trust bundle map (SPIFFE Trust Domain and Bundle, 7.3): `{"trust_domains": {"example.org": {"keys": […]}}}`,
 * where each key for X.509 is a JWK with its certificate in `x5c`.
 */
export function readTrustBundleMap(text: string, reader: CertificateReader): TrustDomainBundle[] {
  const domains = recordField(parseRecord(text) ?? {}, 'trust_domains')
  if (domains === undefined) return [bundleSet({certificates: ['no SPIFFE trust bundle map'], keyFound: false})]
  return Object.entries(domains).map(([trustDomain, bundle]) => {
    const keys = isRecord(bundle) ? recordsField(bundle, 'keys') : []
    const certificates = keys.flatMap((key) => readKey(key, reader))
    return {trustDomain, ...bundleSet({certificates, keyFound: keys.some(isPrivate)})}
  })
}

/** A JWK that is more than a public key (RFC 7518, 6): whatever is left of it after the door. */
function isPrivate(key: JsonRecord): boolean {
  return 'd' in key || 'k' in key
}

/** Keys for JWT stand in the same list, and have no certificate. */
function readKey(key: JsonRecord, reader: CertificateReader): ReturnType<CertificateReader['read']>[] {
  if (textField(key, 'use') === 'jwt-svid') return []
  const certificates = key['x5c']
  if (!Array.isArray(certificates)) return ['key without a certificate']
  return certificates.map((der: unknown) =>
    typeof der === 'string' ? reader.read(Buffer.from(der, 'base64')) : 'key without a certificate',
  )
}
