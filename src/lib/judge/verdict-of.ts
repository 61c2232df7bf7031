import type {Severity} from '../domain/rank.ts'
import type {Verdict} from '../domain/report.ts'

/** What is known to be bad stays bad; what is incomplete is never a pass; what was not seen at all is no warning. */
export function verdictOf(seen: Severity, incomplete: boolean, hasSeen: boolean): Verdict {
  if (seen === 'fail') return 'fail'
  if (incomplete && !hasSeen) return 'unknown'
  if (seen === 'warn') return 'warn'
  return incomplete ? 'unknown' : 'pass'
}
