import type {Failure} from '../domain/failure.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {rowUnits, type Unit} from './row-units.ts'
import {isSameExpiry} from './same-certificate.ts'
import {sideOfFailure} from './source-scope.ts'

/** Whether something differs that may be a moment's: both sides have to be asked once more. */
export function needsSecondReading(rows: readonly SecretDiffRow[]): boolean {
  return rows.some(({confirmed}) => !confirmed)
}

/**
 * Holds a second reading of both sides against the first. What needed no second look stays as it was read first. Of
 * the rest the second reading counts, and a difference in it is confirmed where the same pair differed the first
 * time. Where the second reading could not see a secret again, its first rows stay, unconfirmed: whoever judges takes
 * them for unknown. `failures` are those of the second reading.
 */
export function confirm(
  first: readonly SecretDiffRow[],
  second: readonly SecretDiffRow[],
  failures: readonly Failure[] = [],
): readonly SecretDiffRow[] {
  const again = Map.groupBy(second, ({name}) => name)
  // A name that is missing may have gone, but not where its side could not be read.
  const isWhole = failures.every((failure) => sideOfFailure(failure) === 'agent')
  return [...Map.groupBy(first, ({name}) => name)].flatMap(([name, rows]) => {
    if (!needsSecondReading(rows)) return rows
    const now = again.get(name)
    if (now === undefined) return isWhole ? [] : rows
    return isSeen(now, rows) ? confirmRows(rows, now) : rows
  })
}

/** The second reading told as much of the secret as the first did. */
function isSeen(second: readonly SecretDiffRow[], first: readonly SecretDiffRow[]): boolean {
  const isBlind = second.every(({result}) => result === 'NOT_COMPARABLE')
  return !isBlind || first.every(({result}) => result === 'NOT_COMPARABLE')
}

function confirmRows(first: readonly SecretDiffRow[], second: readonly SecretDiffRow[]): readonly SecretDiffRow[] {
  const before = Map.groupBy(rowUnits(first), unitKey)
  return rowUnits(second).flatMap((unit) => {
    const stood = before.get(unitKey(unit))?.some((other) => isSameMoment(unit, other)) === true
    return unit.map((row) => (row.confirmed || !stood ? row : {...row, confirmed: true}))
  })
}

/** Name, result and certificates; an expiry is compared apart, for it may be a second off. */
function unitKey(unit: Unit): string {
  return JSON.stringify(
    unit.map(({result, agent, proxy, certificate}) => {
      if (certificate === undefined) return [result, agent, proxy, 'none']
      if (!certificate.readable) return [result, agent, proxy, certificate.problem]
      return [result, agent, proxy, certificate.fingerprint ?? certificate.serial ?? 'expiry']
    }),
  )
}

function isSameMoment(one: Unit, other: Unit): boolean {
  return one.every(({certificate}, index) => {
    const before = other[index]?.certificate
    if (certificate?.readable !== true || before?.readable !== true) return true
    return certificate.fingerprint !== undefined || isSameExpiry(certificate.notAfterMs, before.notAfterMs)
  })
}
