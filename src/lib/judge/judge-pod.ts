import type {Skip} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import {isCompared, rowSeverity, type Severity, worstSeverity} from '../domain/rank.ts'
import type {Finding, Verdict} from '../domain/report.ts'
import type {SecretDiffRow, SecretListRow} from '../domain/row.ts'
import type {Row} from './describe-row.ts'
import {judgeValidity} from './rules/certificate-validity.ts'
import {judgeClocks} from './rules/clock-skew.ts'
import {judgeDifference} from './rules/difference.ts'
import {judgeKey} from './rules/key-in-certificate.ts'
import {judgeRejection} from './rules/secret-rejected.ts'
import {judgeState} from './rules/secret-state.ts'

/** What is known of one pod when it is judged. */
export interface Case<R extends Row> {
  readonly rows: readonly R[]
  /** Failures that no other source makes up for. */
  readonly gaps: readonly Failure[]
  /** For the clocks of the sources. */
  readonly observations: readonly Observation[]
  /** The pod was not asked, and rightly so. */
  readonly skip?: Skip
}

/** What comes of it; verdict and `incomplete` are all that an exit code needs. */
export interface Judgement {
  readonly verdict: Verdict
  /** A part that was asked for is missing. */
  readonly incomplete: boolean
  readonly findings: readonly Finding[]
}

/** Judges a comparison. A pod of which nothing could be compared, though it should, is unknown. */
export function judgeDiff(diff: Case<SecretDiffRow>): Judgement {
  return judge(diff, diff.rows.some(isCompared), judgeDifference)
}

/** Judges a list of secrets: each by itself, nothing against the other side. */
export function judgeList(list: Case<SecretListRow>): Judgement {
  return judge(list, list.rows.length > 0, () => [])
}

/** Judges whether a pod was read, and nothing of what it holds. */
export function judgeReading({gaps, observations, skip}: Case<Row>): Judgement {
  if (skip !== undefined) return {verdict: 'skipped', incomplete: false, findings: []}
  const incomplete = gaps.length > 0
  const findings = judgeClocks(observations)
  return {verdict: incomplete ? 'unknown' : findings.length > 0 ? 'warn' : 'pass', incomplete, findings}
}

function judge<R extends Row>(
  {rows, gaps, observations, skip}: Case<R>,
  hasSeen: boolean,
  judgeMore: (row: R) => readonly Finding[],
): Judgement {
  if (skip !== undefined) return {verdict: 'skipped', incomplete: false, findings: []}
  const severities = rows.map(rowSeverity)
  const incomplete = gaps.length > 0 || severities.includes('unknown')
  const clocks = judgeClocks(observations)
  const seen = worstSeverity([
    ...severities.filter((one) => one !== 'unknown'),
    ...clocks.map(({severity}) => severity),
  ])
  return {
    verdict: verdictOf(seen, incomplete, hasSeen),
    incomplete,
    findings: [
      ...clocks,
      ...rows.flatMap((row) => [
        ...judgeValidity(row),
        ...judgeKey(row),
        ...judgeRejection(row),
        ...judgeState(row),
        ...judgeMore(row),
      ]),
    ],
  }
}

/** What is known to be bad stays bad; what is incomplete is never a pass; what was not seen at all is no warning. */
function verdictOf(seen: Severity, incomplete: boolean, hasSeen: boolean): Verdict {
  if (seen === 'fail') return 'fail'
  if (incomplete && !hasSeen) return 'unknown'
  if (seen === 'warn') return 'warn'
  return incomplete ? 'unknown' : 'pass'
}
