import {hash, X509Certificate} from 'node:crypto'
import type {Certificate, KeyInfo} from '../../domain/certificate.ts'
import {claimedSize, type DerElement, dottedOid, headSize, readElement, readElements, SEQUENCE} from './der.ts'
import {formatDistinguishedName} from './distinguished-name.ts'
import {readKeyInfo} from './key-info.ts'
import {normaliseHexSerial} from './serial-number.ts'
import {parseSubjectAltNames} from './subject-alt-names.ts'
import {readUsages} from './usages.ts'

/** What a certificate says of itself, before its place among others is known. */
export type CertificateFacts = Omit<Certificate, 'position'> & {readonly fingerprint: string; readonly pem: string}

/** Tag of the extensions among the fields of a certificate. */
const EXTENSIONS = 0xa3

export const NO_CERTIFICATE = 'PEM block is no certificate'

/** Signatures over a hash that can be forged, by their object identifiers (RFC 3279, 2.2; RFC 8017, A.2.4). */
const WEAK_HASHES: ReadonlyMap<string, NonNullable<Certificate['weakHash']>> = new Map([
  ['1.2.840.113549.1.1.2', 'MD2'],
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.3.14.3.2.29', 'SHA-1'],
  ['1.2.840.10040.4.3', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
])

/** Signatures that Bun's crypto calls wrong, because it does not know them. */
const UNCHECKABLE_SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.2', // md2WithRSAEncryption
  '1.2.840.113549.1.1.4', // md5WithRSAEncryption
])

/**
 * The DER of the one certificate that `bytes` begin with, without what may stand after it (as in OpenSSL's trusted
 * certificates); or in words why there is none.
 */
export function cutCertificate(bytes: Uint8Array): Uint8Array | string {
  const size = claimedSize(bytes)
  if (bytes[0] !== SEQUENCE || size === undefined) return NO_CERTIFICATE
  if (size <= bytes.length) return bytes.subarray(0, size)
  // Inside is another sequence, the signed part; anything else was no certificate before it was cut.
  const inside = bytes[headSize(bytes)]
  return inside === undefined || inside === SEQUENCE ? 'certificate cut off' : NO_CERTIFICATE
}

/** Reads the DER of one certificate; `undefined` where it is none. */
export function readCertificate(der: Uint8Array, fingerprint: string): CertificateFacts | undefined {
  const certificate = parse(der)
  if (certificate === undefined) return undefined
  const notBefore = certificate.validFromDate.getTime()
  const notAfter = certificate.validToDate.getTime()
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined
  const shape = readShape(der)
  const serial = normaliseHexSerial(certificate.serialNumber)
  const weakHash = WEAK_HASHES.get(shape.signature)
  const sans = parseSubjectAltNames(certificate.subjectAltName)
  return {
    readable: true,
    pem: toPem(der),
    fingerprint,
    ...(serial === undefined ? {} : {serial}),
    notBeforeMs: notBefore,
    notAfterMs: notAfter,
    subject: formatDistinguishedName(certificate.subject),
    issuer: formatDistinguishedName(certificate.issuer),
    sans,
    spiffeIds: sans.filter((name) => name.startsWith('URI:spiffe://')).map((name) => name.slice('URI:'.length)),
    isCa: certificate.ca,
    selfSigned: certificate.subject === certificate.issuer && hasSigned(certificate, certificate, shape.signature),
    key: keyOf(shape),
    ...(weakHash !== undefined && {weakHash}),
    usages: readUsages(shape.extensions),
  }
}

/** Whether `issuer` has signed `subject`: names and signature both fit. Both are PEM. */
export function hasIssued(issuer: CertificateFacts, subject: CertificateFacts): boolean {
  if (issuer.subject !== subject.issuer) return false
  const parent = new X509Certificate(issuer.pem)
  const child = new X509Certificate(subject.pem)
  return hasSigned(parent, child, readShape(child.raw).signature)
}

function hasSigned(parent: X509Certificate, child: X509Certificate, signature: string): boolean {
  if (UNCHECKABLE_SIGNATURES.has(signature)) return child.checkIssued(parent)
  try {
    return child.verify(parent.publicKey)
  } catch {
    // A kind of key that the runtime does not know: names and key identifiers are all there is to go by.
    return child.checkIssued(parent)
  }
}

function parse(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

function keyOf({spki, spkiBytes}: Shape): KeyInfo {
  if (spki === undefined || spkiBytes === undefined) return {type: 'unknown'}
  return {...readKeyInfo(spki.content), fingerprint: hash('sha256', spkiBytes)}
}

interface Shape {
  readonly spki: DerElement | undefined
  /** Tag and length included. */
  readonly spkiBytes: Uint8Array | undefined
  /** Object identifier of the signature's algorithm. */
  readonly signature: string
  /** One element for each extension. */
  readonly extensions: readonly DerElement[]
}

/** The parts of a certificate that `X509Certificate` does not give, or not on every runtime (RFC 5280, 4.1). */
function readShape(bytes: Uint8Array): Shape {
  // Views of a plain array cost a fraction of those of a Buffer.
  const der = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [body, algorithm] = readElements(readElement(der)?.content ?? new Uint8Array())
  const fields = readElements(body?.content ?? new Uint8Array())
  // The version stands first with its own tag, and is left out in version 1.
  const afterVersion = fields[0]?.tag === 0xa0 ? 1 : 0
  const spki = fields[afterVersion + 5]
  const identifier = readElement(algorithm?.content ?? new Uint8Array())
  const list = readElement(fields.find(({tag}) => tag === EXTENSIONS)?.content ?? new Uint8Array())
  return {
    spki,
    spkiBytes: spki && body?.content.subarray(spki.start, spki.start + spki.size),
    signature: identifier === undefined ? '' : dottedOid(identifier.content),
    extensions: readElements(list?.content ?? new Uint8Array()),
  }
}

function toPem(der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64')
  let lines = ''
  for (let start = 0; start < base64.length; start += 64) lines += `${base64.slice(start, start + 64)}\n`
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}
