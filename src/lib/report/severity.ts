import type {Severity} from './view.ts'

const RANK: Readonly<Record<Severity, number>> = {pass: 0, skipped: 1, warn: 2, unknown: 3, fail: 4}

/** Whether `--show problems` shows it. A skipped pod is no failure. */
export function isProblem(severity: Severity): boolean {
  return RANK[severity] >= RANK.warn
}

/** The worst of several; `pass` of none. */
export function worst(severities: readonly Severity[]): Severity {
  return severities.reduce((worse, severity) => (RANK[severity] > RANK[worse] ? severity : worse), 'pass')
}

/** How one thing stands among others. */
export interface Standing {
  readonly severity: Severity
  readonly secondsLeft?: number | undefined
}

/** Order for people: worst first, then least time left; else as it was. */
export function compareStanding(a: Standing, b: Standing): number {
  const left = (standing: Standing) => standing.secondsLeft ?? Number.POSITIVE_INFINITY
  return RANK[b.severity] - RANK[a.severity] || (left(a) === left(b) ? 0 : left(a) - left(b))
}

/** The standing of a group: that of its worst, with the least time left of all. */
export function standingOf(members: readonly Standing[]): Standing {
  const lefts = members.flatMap(({secondsLeft}) => secondsLeft ?? [])
  return {
    severity: worst(members.map(({severity}) => severity)),
    secondsLeft: lefts.length === 0 ? undefined : lefts.reduce((least, left) => Math.min(least, left)),
  }
}
