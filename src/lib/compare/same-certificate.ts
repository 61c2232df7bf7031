import type {Certificate} from '../domain/certificate.ts'
import type {ComparedBy} from '../domain/row.ts'

/** By what two certificates are told apart, where that is all there is. */
export type Basis = Extract<ComparedBy, 'fingerprint' | 'serial' | 'expiry'>

/** Both name the same second, within what a metric counted in seconds and two clocks can tell (spec, 6). */
const EXPIRY_TOLERANCE_MS = 2000

/** The strongest thing that both certificates have. */
export function basisOf(a: Certificate, b: Certificate): Basis {
  if (a.fingerprint !== undefined && b.fingerprint !== undefined) return 'fingerprint'
  return hasSerialAndDates(a) && hasSerialAndDates(b) ? 'serial' : 'expiry'
}

/** Whether two certificates are the same one, as far as the basis can tell. */
export function isSame(a: Certificate, b: Certificate, basis: Basis): boolean {
  if (basis === 'expiry') return isSameExpiry(a.notAfterMs, b.notAfterMs)
  return identityKey(a, basis) === identityKey(b, basis)
}

export function isSameExpiry(aMs: number, bMs: number): boolean {
  return Math.abs(aMs - bMs) <= EXPIRY_TOLERANCE_MS
}

/** A text that is equal for equal certificates; undefined where the certificate lacks what the basis needs. */
export function identityKey(certificate: Certificate, basis: Exclude<Basis, 'expiry'>): string | undefined {
  if (basis === 'fingerprint') return certificate.fingerprint
  const {serial, notBeforeMs, notAfterMs} = certificate
  if (serial === undefined || notBeforeMs === undefined) return undefined
  return `${serialNumber(serial)} ${Math.floor(notBeforeMs / 1000)} ${Math.floor(notAfterMs / 1000)}`
}

/** A serial as a number's text: sources pad it differently. */
export function serialNumber(serial: string): string {
  return serial.toLowerCase().replace(/^(-?)0+(?=.)/, '$1')
}

function hasSerialAndDates(certificate: Certificate): boolean {
  return certificate.serial !== undefined && certificate.notBeforeMs !== undefined
}
