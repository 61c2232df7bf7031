import type {RuleInfo} from '../domain/rule.ts'
import {oneLine} from './describe-row.ts'

/** A rule whose texts, which break where the source does, are each one line. */
export function defineRule<Rule extends RuleInfo>(rule: Rule): Rule {
  return {
    ...rule,
    summary: oneLine(rule.summary),
    meaning: oneLine(rule.meaning),
    importance: oneLine(rule.importance),
    action: oneLine(rule.action),
  }
}
