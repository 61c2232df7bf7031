import {RunError} from '../domain/failure.ts'
import {RULES} from '../judge/catalogue.ts'
import {nearest} from './nearest.ts'

const NAMES = RULES.map(({name}) => name)

/** Whether there is a rule of this name. */
export function isRuleName(name: string): boolean {
  return NAMES.includes(name)
}

/** Throws RunError (usage) where there is no such rule; `what` is what was wrong: `Bad value for --rule`. */
export function ruleName(name: string, what: string): string {
  if (isRuleName(name)) return name
  throw new RunError(2, 'bad-flag', `${what}: there is no rule ${JSON.stringify(name)}`, [ruleHint(name)])
}

/** What to do about a name that is no rule's. */
export function ruleHint(name: string): string {
  const near = nearest(name, NAMES)
  return near === undefined
    ? 'agentctl check rules lists them'
    : `Did you mean ${near}? agentctl check rules lists them`
}
