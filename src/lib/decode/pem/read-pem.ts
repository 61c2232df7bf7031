import {REMOVED_KEY} from '../../domain/answer.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import type {CertificateFacts} from '../x509/read-certificate.ts'
import {type PemBlock, splitPem} from './split-pem.ts'

/** A certificate, or in words why a block is none. */
export type CertificateOrProblem = CertificateFacts | string

/** What a text that should hold certificates holds. */
export interface PemCertificates {
  /** In the order of the text; empty only where the text is blank or holds a key alone. */
  readonly certificates: readonly CertificateOrProblem[]
  readonly keyFound: boolean
  /** Revocation lists that stand beside the certificates; absent for none. */
  readonly crls?: number
}

/** Labels that OpenSSL and BoringSSL read as certificates. */
const CERTIFICATE_LABELS: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])
/** Blocks that rightly stand beside certificates and keys in one file. */
const COMPANION_LABELS: ReadonlySet<string> = new Set(['EC PARAMETERS', 'DH PARAMETERS'])

/** Revocation lists, which Envoy takes from beside the roots; alone, they are no certificates. */
const CRL_LABEL = 'X509 CRL'

/** Longer than any label there is. */
const MAX_LABEL_LENGTH = 60

/** The certificates in a PEM text, each bad block with its own short problem. */
export function readPem(text: string, reader: CertificateReader): PemCertificates {
  const {blocks, keyFound} = splitPem(text)
  const own = blocks.filter((block) => !COMPANION_LABELS.has(block.label))
  const wanted = own.filter((block) => block.label !== CRL_LABEL)
  const certificates = (wanted.length > 0 ? wanted : own).map((block) => readBlock(block, reader))
  const crls = wanted.length > 0 ? own.length - wanted.length : 0
  if (certificates.length > 0 || keyFound || text.trim() === '')
    return {certificates, keyFound, ...(crls > 0 && {crls})}
  const decoded = decodeBase64(text)
  if (decoded?.includes(REMOVED_KEY) === true) return {certificates, keyFound: true}
  return {certificates: [whyNoBlock(text, decoded)], keyFound}
}

function readBlock(block: PemBlock, reader: CertificateReader): CertificateOrProblem {
  if (!CERTIFICATE_LABELS.has(block.label))
    return `PEM label ${block.label.slice(0, MAX_LABEL_LENGTH)}, not CERTIFICATE`
  if (block.bytes === undefined) {
    return block.problem === 'cut off' ? 'certificate cut off' : 'PEM block is no certificate'
  }
  return reader.read(block.bytes)
}

function whyNoBlock(text: string, decoded: string | undefined): string {
  if (text.includes('-----BEGIN ')) return 'PEM without its line breaks'
  if (decoded?.includes('-----BEGIN ') === true) return 'base64 text inside base64'
  if (text.startsWith('\x30\x82')) return 'DER, not PEM'
  return 'no PEM block'
}

function decodeBase64(text: string): string | undefined {
  const plain = text.replaceAll(/\s+/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) ? Buffer.from(plain, 'base64').toString('latin1') : undefined
}
