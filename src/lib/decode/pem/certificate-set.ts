import type {CertificateBlock} from '../../domain/certificate.ts'
import type {SecretItem} from '../../domain/secret.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {orderChain} from '../x509/order-chain.ts'
import type {PemCertificates} from './read-pem.ts'

/** The part of a secret item that its certificates make. */
export type CertificateSet = Pick<SecretItem, 'certificates' | 'absent' | 'keyFound' | 'notes'>

/** No certificates, and why. */
export function noCertificates(status: 'EMPTY' | 'UNKNOWN', message: string): CertificateSet {
  return {certificates: [], absent: {status, message}, keyFound: false, notes: []}
}

/** A chain: leaf first, then in order of trust. */
export function chainSet(pem: PemCertificates, reader: CertificateReader): CertificateSet {
  if (pem.certificates.length === 0) return emptySet(pem)
  const {certificates, notes} = orderChain(pem.certificates, reader)
  return {certificates, keyFound: pem.keyFound, notes: [...notes, ...crlNotes(pem)]}
}

/** A bundle of trusted certificates: each as it came. */
export function bundleSet(pem: PemCertificates): CertificateSet {
  if (pem.certificates.length === 0) return emptySet(pem)
  const certificates = pem.certificates.map((certificate): CertificateBlock => {
    if (typeof certificate === 'string') return {readable: false, problem: certificate, position: 'root'}
    if (certificate.selfSigned) return {...certificate, position: 'root'}
    return {...certificate, position: certificate.isCa ? 'intermediate' : 'leaf'}
  })
  const fingerprints = certificates.flatMap((certificate) =>
    certificate.readable && certificate.fingerprint !== undefined ? [certificate.fingerprint] : [],
  )
  const distinct = new Set(fingerprints).size
  const notes = distinct < fingerprints.length ? [`${fingerprints.length} certificates, ${distinct} distinct`] : []
  return {certificates, keyFound: pem.keyFound, notes: [...notes, ...crlNotes(pem)]}
}

function crlNotes({crls = 0}: PemCertificates): readonly string[] {
  if (crls === 0) return []
  return [crls === 1 ? 'a revocation list (CRL) stands beside it' : `${crls} revocation lists (CRL) stand beside it`]
}

function emptySet(pem: PemCertificates): CertificateSet {
  const message = pem.keyFound ? 'a private key and no certificate' : 'no certificate'
  return {...noCertificates('EMPTY', message), keyFound: pem.keyFound}
}
