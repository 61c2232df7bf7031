import type {Skip} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import {isCompared, rowSeverity, worstSeverity} from '../domain/rank.ts'
import type {Finding} from '../domain/finding.ts'
import type {Verdict} from '../domain/report.ts'
import type {SecretDiffRow, SecretListRow} from '../domain/row.ts'
import type {Row} from './describe-row.ts'
import {agentStale} from './rules/agent-stale.ts'
import {certExpired} from './rules/cert-expired.ts'
import {certNotYetValid} from './rules/cert-not-yet-valid.ts'
import {certUnreadable} from './rules/cert-unreadable.ts'
import {judgeClocks} from './rules/clock-skew.ts'
import {keyInCertificate} from './rules/key-in-certificate.ts'
import {proxyStale} from './rules/proxy-stale.ts'
import {rootMissing} from './rules/root-missing.ts'
import {secretMissing} from './rules/secret-missing.ts'
import {secretRejected} from './rules/secret-rejected.ts'
import {secretUnavailable} from './rules/secret-unavailable.ts'
import {secretUninitialized} from './rules/secret-uninitialized.ts'
import {secretWarming} from './rules/secret-warming.ts'
import {trustDomainMismatch} from './rules/trust-domain-mismatch.ts'
import type {RowRule} from './rule.ts'
import {verdictOf} from './verdict-of.ts'

/** Said of each secret, in a list too. */
const LIST_RULES: readonly RowRule[] = [
  certExpired,
  certNotYetValid,
  certUnreadable,
  keyInCertificate,
  secretRejected,
  secretUninitialized,
  secretUnavailable,
  secretWarming,
]

/** Said of each secret against the other side. */
const DIFF_RULES: readonly RowRule[] = [
  ...LIST_RULES,
  rootMissing,
  secretMissing,
  trustDomainMismatch,
  agentStale,
  proxyStale,
]

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
  return judge(diff, diff.rows.some(isCompared), DIFF_RULES)
}

/** Judges a list of secrets: each by itself, nothing against the other side. */
export function judgeList(list: Case<SecretListRow>): Judgement {
  return judge(list, list.rows.length > 0, LIST_RULES)
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
  rules: readonly RowRule[],
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
    findings: [...clocks, ...rows.flatMap((row) => rules.flatMap((rule) => rule.judgeRow(row)))],
  }
}
