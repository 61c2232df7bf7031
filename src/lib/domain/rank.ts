import type {Verdict} from './report.ts'
import type {SecretDiffRow, SecretListRow, SecretRow} from './row.ts'

/** Reasons of NOT_COMPARABLE rows that are so by design: they have no effect on a verdict or an exit code. */
export const BY_DESIGN = {
  noSource: 'no source',
  otherTrustSource: 'other trust source',
  /** The user left the source out. */
  notAsked: 'not asked',
  /** `invalid://…`, which istiod never answers (1.26+). */
  warmsByDesign: 'warms by design',
  /** Envoy's `/certs` lists it; a listener may hold it itself, or connections that outlive its secret. */
  onlyLoaded: 'in a TLS context and in no secret',
  /** ztunnel lists an identity again that it also holds. */
  alsoActive: 'also held as ACTIVE',
} as const

/** ztunnel's word for an identity whose last workload left: no fault. */
export const NO_LONGER_NEEDED = 'the identity is no longer needed'

/** How bad a row is. `unknown`: it could not be judged though it should. */
export type Severity = 'fail' | 'unknown' | 'warn' | 'ok'

const SEVERITIES: readonly Severity[] = ['fail', 'unknown', 'warn', 'ok']
const VERDICTS: readonly Verdict[] = ['fail', 'unknown', 'warn', 'pass', 'skipped']
const DESIGNED: readonly string[] = Object.values(BY_DESIGN)

/** For sorting: smaller is worse. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity)
}

/** For sorting: smaller is worse. */
export function verdictRank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict)
}

/** `ok` where there are none. */
export function worstSeverity(severities: Iterable<Severity>): Severity {
  let worst: Severity = 'ok'
  for (const severity of severities) if (severityRank(severity) < severityRank(worst)) worst = severity
  return worst
}

/** `pass` where there are none; skipped pods count only where there is nothing else. */
export function worstVerdict(verdicts: Iterable<Verdict>): Verdict {
  let worst: Verdict | undefined
  for (const verdict of verdicts) if (worst === undefined || verdictRank(verdict) < verdictRank(worst)) worst = verdict
  return worst ?? 'pass'
}

/** How bad one row is, of a comparison or of a list. */
export function rowSeverity(row: SecretDiffRow | SecretListRow): Severity {
  return worstSeverity([
    certificateSeverity(row),
    row.keyFound ? 'fail' : 'ok',
    isLoadedOther(row) && !('confirmed' in row && !row.confirmed) ? 'warn' : 'ok',
    'result' in row ? resultSeverity(row) : listSeverity(row),
  ])
}

/** A secret that the two sides do not hold alike; it counts once it is confirmed. */
export function isDifference({result}: SecretDiffRow): boolean {
  return result === 'MISMATCH' || result === 'ONLY_AGENT' || result === 'ONLY_PROXY' || result === 'PROXY_WARMING'
}

/** TLS contexts have loaded another certificate of its names in place of this one, which no secret holds any more. */
export function isLoadedOther({contexts}: SecretRow): boolean {
  return contexts !== undefined && !contexts.loaded && contexts.others.length > 0
}

/** Whether the two sides of this row were held against each other at all. */
export function isCompared(row: SecretDiffRow): boolean {
  return row.result !== 'NOT_COMPARABLE'
}

function resultSeverity(row: SecretDiffRow): Severity {
  if (row.reason === BY_DESIGN.alsoActive) return isOutOfUse(row) ? 'warn' : 'ok'
  if (isDifference(row) || isOutOfUse(row)) return row.confirmed ? 'fail' : 'unknown'
  if (row.result === 'PENDING') return 'warn'
  if (row.result === 'MATCH') return row.rejected === undefined ? 'ok' : 'warn'
  if (row.rejected !== undefined) return 'fail'
  // An unreadable certificate cannot be compared, but it is not unseen: its status says what is wrong.
  if (DESIGNED.includes(row.reason) || row.status === 'INVALID') return 'ok'
  return 'unknown'
}

function listSeverity(row: SecretListRow): Severity {
  if (isOutOfUse(row) || row.rejected !== undefined) return 'fail'
  return row.state === 'WARMING' && !row.name.startsWith('invalid://') ? 'warn' : 'ok'
}

/** The proxy lists the secret and can not use it. */
function isOutOfUse({state, statusReason}: SecretDiffRow | SecretListRow): boolean {
  return state === 'UNINITIALIZED' || (state === 'UNAVAILABLE' && statusReason !== NO_LONGER_NEEDED)
}

function certificateSeverity(row: SecretDiffRow | SecretListRow): Severity {
  return worstSeverity([leafSeverity(row), ...row.chain.map(chainSeverity)])
}

function leafSeverity({status, besideValid, type, state}: SecretDiffRow | SecretListRow): Severity {
  if (status === 'EXPIRED' || status === 'NOT_YET_VALID' || status === 'INVALID')
    return besideValid === true ? 'warn' : 'fail'
  const isEmptyInUse = status === 'EMPTY' && (state === 'ACTIVE' || state === 'STATIC')
  if (!isEmptyInUse) return 'ok'
  // A validation context may go without a CA of its own; a chain without a certificate serves nothing.
  return type === 'Cert Chain' ? 'fail' : 'warn'
}

/** Whoever verifies a chain uses his own roots: a root that came along and is over is worth a word, no more. */
function chainSeverity({certificate, status}: SecretDiffRow['chain'][number]): Severity {
  if (status === 'VALID' || status === 'UNKNOWN' || status === 'EMPTY') return 'ok'
  return certificate.position === 'root' && certificate.readable ? 'warn' : 'fail'
}
