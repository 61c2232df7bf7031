import type {Certificate, CertificateBlock} from '../domain/certificate.ts'
import {identityKey} from './same-certificate.ts'

/** By what two sets of roots can be compared: whole certificates where all are whole. */
export function rootBasis(...sets: readonly (readonly CertificateBlock[])[]): 'fingerprint' | 'serial' {
  const isWhole = sets.flat().every((root) => !root.readable || root.fingerprint !== undefined)
  return isWhole ? 'fingerprint' : 'serial'
}

/** The readable roots by identity, each once; those that lack what the basis needs are left out. */
export function rootSet(
  roots: readonly CertificateBlock[],
  basis: 'fingerprint' | 'serial',
): ReadonlyMap<string, Certificate> {
  const set = new Map<string, Certificate>()
  for (const root of roots) {
    const key = root.readable ? identityKey(root, basis) : undefined
    if (root.readable && key !== undefined && !set.has(key)) set.set(key, root)
  }
  return set
}

/** Whether a set of roots holds this one. */
export function hasRoot(
  set: ReadonlyMap<string, Certificate>,
  root: Certificate,
  basis: 'fingerprint' | 'serial',
): boolean {
  const key = identityKey(root, basis)
  return key !== undefined && set.has(key)
}
