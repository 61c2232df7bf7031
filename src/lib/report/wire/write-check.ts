import type {CheckItem, FleetReport} from '../../domain/report.ts'
import type {RuleOutcome} from '../../domain/rule.ts'
import type {WireOptions} from '../view.ts'
import type {CheckFleetWire, CheckWire, OutcomeWire} from './check.schema.ts'
import {writePodItem} from './write-pod-item.ts'

/** One pod of `check`, as it is written. */
export function writeCheck(item: CheckItem, options: WireOptions): CheckWire {
  return {...writePodItem(item, options), rules: item.outcomes.map(writeOutcome)}
}

/** What `check` says of the fleet, as it is written. */
export function writeCheckFleet({check}: FleetReport): CheckFleetWire {
  return {
    rules: (check?.outcomes ?? []).map(writeOutcome),
    coverage: (check?.coverage ?? []).map(({rule, evaluated, notEvaluated}) => ({
      rule,
      evaluated,
      not_evaluated: notEvaluated.map((one) => ({...one})),
    })),
  }
}

function writeOutcome(outcome: RuleOutcome): OutcomeWire {
  if (outcome.result !== 'not-evaluated') return {rule: outcome.rule, result: outcome.result}
  const {rule, result, cause, reason} = outcome
  return {rule, result, cause, reason}
}
