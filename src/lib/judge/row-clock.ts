import type {Row} from './describe-row.ts'

/** The second (since 1970) as of which a row's certificates are judged; undefined where it holds none that is readable. */
export function secondOf({certificate, secondsLeft}: Row): number | undefined {
  if (certificate?.readable !== true || secondsLeft === undefined) return undefined
  return Math.floor(certificate.notAfterMs / 1000) - secondsLeft
}

/**
 * What is said where only the clock of who told it makes a finding: by ours it would not hold. `isFound` tells it for a
 * second.
 */
export function whereClockDecides(row: Row, isFound: (second: number) => boolean): string {
  const second = secondOf(row)
  const {clockSkewMs} = row
  if (second === undefined || clockSkewMs === undefined) return ''
  const skew = Math.round(clockSkewMs / 1000)
  if (isFound(second - skew)) return ''
  return `; only by the clock there, which is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} ours`
}
