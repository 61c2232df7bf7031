import {type Severity, verdictRank, worstVerdict} from '../domain/rank.ts'
import type {Verdict} from '../domain/report.ts'

/** How one thing stands among others. */
export interface Standing {
  readonly verdict: Verdict
  /** Whole seconds until something ends; absent where nothing does. */
  readonly secondsLeft?: number | undefined
}

/** Whether `--show problems` shows it. A skipped pod is no failure. */
export function isProblem(verdict: Verdict): boolean {
  return verdict !== 'pass' && verdict !== 'skipped'
}

/** A row's severity in the words of its pod's verdict. */
export function asVerdict(severity: Severity): Verdict {
  return severity === 'ok' ? 'pass' : severity
}

/** Order for people: worst first, then least time left; else as it was. */
export function compareStanding(a: Standing, b: Standing): number {
  const left = (standing: Standing) => standing.secondsLeft ?? Number.POSITIVE_INFINITY
  return verdictRank(a.verdict) - verdictRank(b.verdict) || (left(a) === left(b) ? 0 : left(a) - left(b))
}

/** The standing of a group: that of its worst, with the least time left of all. */
export function standingOf(members: readonly Standing[]): Standing {
  const lefts = members.flatMap(({secondsLeft}) => secondsLeft ?? [])
  return {
    verdict: worstVerdict(members.map(({verdict}) => verdict)),
    secondsLeft: lefts.length === 0 ? undefined : lefts.reduce((least, left) => Math.min(least, left)),
  }
}
