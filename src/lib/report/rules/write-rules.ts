import type {RuleInfo} from '../../domain/rule.ts'
import {API_VERSION} from '../document.ts'
import type {RuleListWire} from '../wire/rule-list.schema.ts'
import {flagsOf} from './rule-texts.ts'

/** Rules as a document. */
export function writeRules(rules: readonly RuleInfo[]): RuleListWire {
  return {
    apiVersion: API_VERSION,
    kind: 'RuleList',
    items: rules.map((rule) => {
      const {name, scope, severity, summary, meaning, importance, action, sources = []} = rule
      return {
        name,
        scope,
        severity,
        summary,
        meaning,
        importance,
        action,
        sources: [...sources],
        flags: [...flagsOf(rule)],
      }
    }),
  }
}
