import {createECDH, createPrivateKey, createPublicKey, type KeyObject, sign} from 'node:crypto'

/** A certificate to be made, with whatever a CA would never write. */
export interface CertificatePlan {
  /** Bytes of the serial as they stand in the DER (two's complement). */
  readonly serial: Uint8Array
  readonly subject: string
  /** The subject where it is left out. */
  readonly issuer?: string
  /** As it stands in the DER: 13 characters are a UTCTime, 15 a GeneralizedTime. */
  readonly notBefore?: string
  readonly notAfter?: string
  readonly isCa?: boolean
  readonly uris?: readonly string[]
  readonly names?: readonly string[]
  /** Bytes of an extension that nobody knows. */
  readonly ballast?: number
  readonly key?: KeyObject
  /** Its own key where it is left out. */
  readonly signedWith?: KeyObject
}

/** A P-256 key that is the same in every run; it protects nothing. */
export function testKey(seed: number): KeyObject {
  const scalar = Buffer.alloc(32, seed)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPrivateKey({key: {kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), x, y}, format: 'jwk'})
}

const OWN_KEY = testKey(7)
const spkis = new WeakMap<KeyObject, Buffer>()

/** The DER of one certificate, signed with ECDSA and SHA-256 (RFC 5280, 4.1). */
export function makeCertificate(plan: CertificatePlan): Buffer {
  const {serial, subject, issuer = subject, key = OWN_KEY, signedWith = key} = plan
  const {notBefore = '20200101000000Z', notAfter = '20491231235959Z'} = plan
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    nameOf(issuer),
    der(0x30, timeOf(notBefore), timeOf(notAfter)),
    nameOf(subject),
    spkiOf(key),
    der(0xa3, der(0x30, ...extensionsOf(plan))),
  )
  return der(0x30, body, algorithm, der(0x03, Buffer.from([0]), sign('sha256', body, signedWith)))
}

export function pemOf(certificate: Uint8Array): string {
  const base64 = Buffer.from(certificate).toString('base64').replaceAll(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}

function extensionsOf({isCa = false, uris = [], names = [], ballast = 0}: CertificatePlan): Buffer[] {
  const alternatives = [
    ...uris.map((uri) => der(0x86, Buffer.from(uri))),
    ...names.map((name) => der(0x82, Buffer.from(name))),
  ]
  return [
    ...(isCa ? [extension('551d13', der(0x30, der(0x01, Buffer.from([0xff]))))] : []),
    ...(alternatives.length === 0 ? [] : [extension('551d11', der(0x30, ...alternatives))]),
    ...(ballast === 0 ? [] : [extension('2a0304', der(0x04, Buffer.alloc(ballast, 0x61)))]),
  ]
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, oid(id), der(0x04, value))
}

function nameOf(common: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(common)))))
}

function timeOf(text: string): Buffer {
  return der(text.length === 13 ? 0x17 : 0x18, Buffer.from(text))
}

function spkiOf(key: KeyObject): Buffer {
  const known = spkis.get(key) ?? createPublicKey(key).export({type: 'spki', format: 'der'})
  spkis.set(key, known)
  return known
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const bytes = length.subarray(length.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content])
}
