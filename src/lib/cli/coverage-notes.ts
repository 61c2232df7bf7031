import {countOf} from '../domain/count-text.ts'
import type {FleetCheck} from '../domain/report.ts'
import type {NotEvaluatedCause} from '../domain/rule.ts'

/** Lines that are told; past that, all stands in the document. */
const MAX_LINES = 6

/** What is worth knowing comes first: what was wanted and could not be had. */
const ORDER: readonly NotEvaluatedCause[] = ['failed', 'forbidden', 'scope']

/** Rules of a line that are told by name. */
const MAX_NAMES = 4

interface Gap {
  readonly cause: NotEvaluatedCause
  readonly where: string
  readonly example: string
  readonly rules: string[]
}

/** Which rules could not be held against what, so that nothing is taken for passed that was not looked at. */
export function coverageLines({coverage, outcomes}: FleetCheck): readonly string[] {
  const gaps = new Map<string, Gap>()
  const note = (rule: string, cause: NotEvaluatedCause, where: string, example: string): void => {
    const key = `${cause} ${where} ${example}`
    const known = gaps.get(key)
    if (known === undefined) gaps.set(key, {cause, where, example, rules: [rule]})
    else known.rules.push(rule)
  }
  for (const {rule, notEvaluated} of coverage)
    for (const {cause, pods, example} of notEvaluated) note(rule, cause, countOf(pods, 'pod'), example)
  for (const outcome of outcomes)
    if (outcome.result === 'not-evaluated') note(outcome.rule, outcome.cause, 'the fleet', outcome.reason)
  const all = [...gaps.values()].toSorted((a, b) => ORDER.indexOf(a.cause) - ORDER.indexOf(b.cause))
  const lines = all
    .slice(0, MAX_LINES)
    .map(({where, example, rules}) => `Not evaluated on ${where}: ${namesOf(rules)} (${example})`)
  const untold = all.length - lines.length
  return untold === 0 ? lines : [...lines, `Not evaluated elsewhere too: -o json shows all of it, under fleet.coverage`]
}

function namesOf(rules: readonly string[]): string {
  if (rules.length <= MAX_NAMES) return rules.join(', ')
  return `${rules.slice(0, MAX_NAMES).join(', ')} and ${rules.length - MAX_NAMES} more rules`
}
