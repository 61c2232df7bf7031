import type {NotEvaluatedCause, RuleCoverage, RuleOutcome} from '../domain/rule.ts'

/** Counts, rule by rule, what the rules on pods could be held against; its size is that of the rules, not of the fleet. */
export class CoverageTally {
  readonly #counts = new Map<string, {evaluated: number; readonly open: Map<NotEvaluatedCause, Open>}>()

  take(outcomes: readonly RuleOutcome[]): void {
    for (const outcome of outcomes) {
      const count = this.#counts.get(outcome.rule) ?? {evaluated: 0, open: new Map<NotEvaluatedCause, Open>()}
      this.#counts.set(outcome.rule, count)
      if (outcome.result === 'not-evaluated') {
        const known = count.open.get(outcome.cause)
        if (known === undefined) count.open.set(outcome.cause, {pods: 1, example: outcome.reason})
        else known.pods += 1
      } else count.evaluated += 1
    }
  }

  all(): readonly RuleCoverage[] {
    return [...this.#counts].map(([rule, {evaluated, open}]) => ({
      rule,
      evaluated,
      notEvaluated: [...open].map(([cause, said]) => ({cause, ...said})),
    }))
  }
}

interface Open {
  pods: number
  readonly example: string
}
