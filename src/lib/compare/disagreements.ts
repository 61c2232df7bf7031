import {formatTime} from '../domain/format-time.ts'
import {firstOf, type Held, isUsable, kindOf} from './held.ts'
import {hasRoot, rootBasis, rootSet} from './root-set.ts'
import {basisOf, isSame} from './same-certificate.ts'

/**
 * What weaker sources say of a secret that is told by a stronger one, where it is something else: `told` are its items,
 * `others` those of the same name from other sources.
 */
export function disagreements(told: readonly Held[], others: readonly Held[]): readonly string[] {
  const notes = others.flatMap((other) => [
    ...(other.item.keyFound ? [`${other.by.source} holds a private key in place of a certificate`] : []),
    ...(told.some((one) => agree(one, other)) ? [] : [otherText(other)]),
  ])
  return [...new Set(notes)]
}

function agree(one: Held, other: Held): boolean {
  const kinds = [kindOf(one), kindOf(other)]
  if (!isUsable(one) || kinds.includes('opaque')) return true
  if (kinds.includes('bundle')) return haveSameRoots(one, other)
  const [ours, theirs] = [firstOf(one), firstOf(other)]
  // That a weaker source holds nothing says nothing.
  if (ours?.readable !== true || theirs === undefined) return true
  return theirs.readable && isSame(ours, theirs, basisOf(ours, theirs))
}

function haveSameRoots({item: ours}: Held, {item: theirs}: Held): boolean {
  if (theirs.certificates.length === 0) return true
  const basis = rootBasis(ours.certificates, theirs.certificates)
  const [mine, its] = [rootSet(ours.certificates, basis), rootSet(theirs.certificates, basis)]
  return (
    [...its.values()].every((root) => hasRoot(mine, root, basis)) &&
    [...mine.values()].every((root) => hasRoot(its, root, basis))
  )
}

/** `cert-manager has another one: it ends at 2026-…`; `what` for where there is no other. */
export function otherText(other: Held, what: 'another one' | 'one' = 'another one'): string {
  const {source} = other.by
  if (kindOf(other) === 'bundle') return `${source} has other roots`
  const first = firstOf(other)
  if (first?.readable !== true)
    return `${source} has none that can be read${first === undefined ? '' : `: ${first.problem}`}`
  const serial = first.serial === undefined ? '' : `serial ${first.serial}, `
  return `${source} has ${what}: ${serial}it ends at ${formatTime(first.notAfterMs)}`
}
