import {RunError} from '../domain/failure.ts'
import {RULES} from '../judge/catalogue.ts'
import type {CheckPolicy, RuleLevel} from '../judge/check-policy.ts'
import {DEFAULT_THRESHOLDS} from '../judge/thresholds.ts'
import {parseChoice} from './flags/values.ts'

/** The flags that say what the rules are, as oclif gives them. */
export interface CheckFlagValues {
  readonly rule?: readonly string[] | undefined
  readonly severity?: readonly string[] | undefined
}

const NAMES = RULES.map(({name}) => name)

/** What the flags make of the rules. Throws RunError (usage) for a rule that there is not, or a level that is none. */
export function readCheckPolicy({rule, severity = []}: CheckFlagValues): CheckPolicy {
  const levels = new Map(severity.map(readLevel))
  const isAnyOn = (rule ?? NAMES).some((name) => levels.get(name) !== 'off')
  if (!isAnyOn) throw new RunError(2, 'bad-flag', 'No rule is left: --severity turns off all that --rule names')
  return {
    ...(rule !== undefined && {only: new Set(rule.map((name) => ruleName(name, 'rule')))}),
    levels,
    thresholds: DEFAULT_THRESHOLDS,
    accept: () => undefined,
  }
}

function readLevel(text: string): readonly [string, RuleLevel] {
  const [name = '', level = '', ...rest] = text.split('=')
  if (rest.length > 0 || level === '')
    throw new RunError(2, 'bad-flag', `Bad value for --severity: expected RULE=LEVEL, got ${JSON.stringify(text)}`)
  return [ruleName(name, 'severity'), parseChoice(level, 'severity', ['off', 'warn', 'fail'])]
}

/** A name of a rule, as it is given. Throws RunError (usage) for one that there is not. */
function ruleName(name: string, flag: string): string {
  if (NAMES.includes(name)) return name
  throw new RunError(2, 'bad-flag', `Bad value for --${flag}: there is no rule ${JSON.stringify(name)}`, [
    'agentctl check rules lists them',
  ])
}
