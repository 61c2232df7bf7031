import type {SecretItem} from '../../domain/secret.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {bundleSet, chainSet} from './certificate-set.ts'
import {type PemCertificates, readPem} from './read-pem.ts'

/**
 * The secret that a file of certificates holds, PEM or DER. It is a bundle where all are CA certificates, else a
 * chain; without a `name` it is `ROOTCA` or `default` accordingly.
 */
export function decodePemSecret(bytes: Uint8Array, reader: CertificateReader, name?: string): SecretItem {
  const content = readContent(bytes, reader)
  const readable = content.certificates.filter((certificate) => typeof certificate !== 'string')
  const isBundle = readable.length > 0 && readable.every(({isCa}) => isCa)
  if (isBundle) return {name: name ?? 'ROOTCA', type: 'CA', ...bundleSet(content)}
  return {name: name ?? 'default', type: 'Cert Chain', ...chainSet(content, reader)}
}

/** Certificates of a text in any encoding, or the one certificate of a DER file. */
export function readContent(bytes: Uint8Array, reader: CertificateReader): PemCertificates {
  // A DER certificate is a sequence with a long length; as text these bytes would be a digit and a control character.
  if (bytes[0] === 0x30 && (bytes[1] ?? 0) >= 0x80) return {certificates: [reader.read(bytes)], keyFound: false}
  return readPem(pemText(bytes), reader)
}

/** One character a byte, which text around the blocks cannot disturb; UTF-16 (of PowerShell) by its mark. */
function pemText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(/^\u00EF\u00BB\u00BF/, '')
}
