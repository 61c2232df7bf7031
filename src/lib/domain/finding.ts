/** How bad a finding is. */
export type FindingSeverity = 'warn' | 'fail'

/** A finding that somebody accepted for a while: it is told, and counts for no verdict. */
export interface Acceptance {
  readonly reason: string
  /** The last day on which it is accepted, `2026-12-31`. */
  readonly until: string
}

/** A rule that does not hold, on one pod, one node or the fleet. */
export interface Finding {
  readonly rule: string
  readonly severity: FindingSeverity
  /** What is wrong, on what, with the values. Foreign text in it is not escaped here. */
  readonly message: string
  /** The message for a line of a table, where it says less: `default: proxy is stale`. */
  readonly brief?: string
  /** What of the pod, the node or the fleet it is about, in stable words: `secret default`, `node n1`. */
  readonly subject?: string
  /** The values that it was found by, in JSON's words. */
  readonly values?: Readonly<Record<string, string | number>>
  /** One thing to do next. */
  readonly hint?: string
  readonly accepted?: Acceptance
}

/** Of findings those that count for a verdict. */
export function standing(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({accepted}) => accepted === undefined)
}
