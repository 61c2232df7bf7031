import {createECDH, createPrivateKey} from 'node:crypto'
import type {KeySample} from '../scrub/key-samples.ts'

/** The same key in every run, so that a case that fails fails again; it protects nothing. */
function fixedKey() {
  const scalar = Buffer.from(Array.from({length: 32}, (_, index) => (index * 73 + 41) % 251))
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPrivateKey({
    key: {kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), x, y},
    format: 'jwk',
  })
}

function sample(name: string, type: 'pkcs8' | 'sec1'): KeySample {
  const key = fixedKey()
  return {name, pem: key.export({type, format: 'pem'}).toString(), der: key.export({type, format: 'der'})}
}

export const FIXED_KEYS: readonly [KeySample, KeySample] = [
  sample('PRIVATE KEY of EC', 'pkcs8'),
  sample('EC PRIVATE KEY', 'sec1'),
]
