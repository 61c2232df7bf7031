import type {ExpirySeen} from '../domain/observation.ts'
import type {SecretItem} from '../domain/secret.ts'

/** An agent's certificate as its metrics tell it. */
export function expiryItem({name, notAfterMs, countedFrom}: ExpirySeen, reading: 'files' | 'live'): SecretItem {
  return knownByExpiry(name, notAfterMs, reading === 'files' ? [`expiry counted from ${countedFrom}`] : [])
}

/** A certificate of which only its end is known: everything else of it is empty or absent. */
export function knownByExpiry(name: string, notAfterMs: number, notes: readonly string[]): SecretItem {
  return {
    name,
    type: 'Cert Chain',
    certificates: [
      {
        readable: true,
        notAfterMs,
        subject: '',
        issuer: '',
        sans: [],
        spiffeIds: [],
        isCa: false,
        selfSigned: false,
        key: {type: 'unknown'},
        position: 'leaf',
      },
    ],
    keyFound: false,
    notes,
  }
}
