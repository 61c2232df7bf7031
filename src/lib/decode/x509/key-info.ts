import type {KeyInfo} from '../../domain/certificate.ts'
import {BIT_STRING, dottedOid, OBJECT_IDENTIFIER, readElement, readElements} from './der.ts'

/** Algorithms of RFC 3279, 4055 and 8410. */
const KEY_TYPES: Readonly<Record<string, KeyInfo['type']>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.113549.1.1.10': 'RSA',
  '1.2.840.10045.2.1': 'EC',
  '1.2.840.10040.4.1': 'DSA',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
}

const CURVES: Readonly<Record<string, {readonly curve: string; readonly size: number}>> = {
  '1.2.840.10045.3.1.1': {curve: 'P-192', size: 192},
  '1.3.132.0.33': {curve: 'P-224', size: 224},
  '1.2.840.10045.3.1.7': {curve: 'P-256', size: 256},
  '1.3.132.0.34': {curve: 'P-384', size: 384},
  '1.3.132.0.35': {curve: 'P-521', size: 521},
  '1.3.132.0.10': {curve: 'secp256k1', size: 256},
  '1.3.36.3.3.2.8.1.1.7': {curve: 'brainpoolP256r1', size: 256},
  '1.3.36.3.3.2.8.1.1.11': {curve: 'brainpoolP384r1', size: 384},
  '1.3.36.3.3.2.8.1.1.13': {curve: 'brainpoolP512r1', size: 512},
}

/**
 * Kind and size of a public key, from the content of its SubjectPublicKeyInfo (RFC 5280, 4.1.2.7). Read from the DER
 * and not through `KeyObject`, because Bun's crypto refuses Ed448, RSA-PSS and several curves.
 */
export function readKeyInfo(spki: Uint8Array): KeyInfo {
  const [algorithm, bits] = readElements(spki)
  if (algorithm === undefined || bits?.tag !== BIT_STRING) return {type: 'unknown'}
  const [identifier, parameters] = readElements(algorithm.content)
  const type = identifier === undefined ? undefined : KEY_TYPES[dottedOid(identifier.content)]
  // The first byte of a bit string counts unused bits, and is 0 for keys.
  const key = bits.content.subarray(1)
  if (type === 'RSA') return withSize(type, firstIntegerBits(readElement(key)?.content))
  if (type === 'DSA') return withSize(type, firstIntegerBits(parameters?.content))
  if (type === 'EC') {
    const curve = parameters?.tag === OBJECT_IDENTIFIER ? dottedOid(parameters.content) : ''
    return {type, ...CURVES[curve]}
  }
  return {type: type ?? 'unknown'}
}

function withSize(type: KeyInfo['type'], size: number | undefined): KeyInfo {
  return size === undefined ? {type} : {type, size}
}

/** Length in bits of the first integer of a sequence: the modulus of RSA, the prime of DSA. */
function firstIntegerBits(sequence: Uint8Array | undefined): number | undefined {
  const integer = sequence === undefined ? undefined : readElement(sequence)?.content
  if (integer === undefined) return undefined
  const start = integer.findIndex((byte) => byte !== 0)
  const lead = integer[start]
  return lead === undefined ? undefined : (integer.length - start) * 8 - (Math.clz32(lead) - 24)
}
