import {generateKeyPairSync, type KeyObject} from 'node:crypto'

/** One private key in the forms it is met in. */
export interface KeySample {
  readonly name: string
  readonly pem: string
  readonly der: Buffer
}

const rsa = generateKeyPairSync('rsa', {modulusLength: 1024}).privateKey
const ec = generateKeyPairSync('ec', {namedCurve: 'P-256'}).privateKey
const ed = generateKeyPairSync('ed25519').privateKey

function sample(name: string, key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1'): KeySample {
  return fromPem(name, key.export({type, format: 'pem'}))
}

function fromPem(name: string, text: string | Buffer): KeySample {
  const pem = text.toString()
  return {name, pem, der: bodyOf(pem)}
}

function bodyOf(pem: string): Buffer {
  return Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64')
}

/** The body of a format that Node cannot write, under its label: the scrubber goes by the label alone. */
function labelled(label: string): KeySample {
  const der = rsa.export({type: 'pkcs8', format: 'der'}).subarray(40)
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {name: label, pem: `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`, der}
}

export const KEYS: readonly KeySample[] = [
  sample('RSA PRIVATE KEY', rsa, 'pkcs1'),
  sample('PRIVATE KEY of RSA', rsa, 'pkcs8'),
  sample('EC PRIVATE KEY', ec, 'sec1'),
  sample('PRIVATE KEY of EC', ec, 'pkcs8'),
  sample('PRIVATE KEY of Ed25519', ed, 'pkcs8'),
  fromPem(
    'ENCRYPTED PRIVATE KEY',
    ec.export({type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret'}),
  ),
]

export const ODD_LABELS: readonly KeySample[] = [
  labelled('OPENSSH PRIVATE KEY'),
  labelled('PGP PRIVATE KEY BLOCK'),
  labelled('ANY X9.42-DH PRIVATE KEY'),
]

export const EC_KEY: KeySample = sample('PRIVATE KEY of EC', ec, 'pkcs8')

/** Every text and byte string that can be read out of `bytes` by undoing JSON escapes and base64, in any order. */
function readings(bytes: Buffer, layers: number, found: Buffer[]): void {
  found.push(bytes)
  if (layers === 0) return
  const text = bytes.toString('latin1')
  const plain = text
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\+[nrt]/g, '\n')
    .replaceAll('\\', '')
  for (const run of plain.replaceAll(/-{5}.*?-{5}/g, '|').match(/[A-Za-z0-9+/_\-\s]{24,}/g) ?? []) {
    for (const word of new Set([run.replaceAll(/\s/g, ''), ...run.split(/\s+/)])) {
      if (word.length < 24) continue
      for (const offset of [0, 1, 2, 3]) readings(Buffer.from(word.slice(offset), 'base64'), layers - 1, found)
    }
  }
}

/** Whether any eight bytes in a row of a key's secret half can be read out of `output`. */
export function leaks(output: Buffer, key: KeySample): boolean {
  // Past what every key of its kind begins with, and before what a certificate has as well.
  const start = key.name === 'EC PRIVATE KEY' ? 8 : 36
  const secret = key.der.subarray(start, start + 24)
  const found: Buffer[] = []
  readings(output, 3, found)
  for (let at = 0; at + 8 <= secret.length; at++) {
    const part = secret.subarray(at, at + 8)
    if (found.some((reading) => reading.includes(part))) return true
  }
  return false
}
