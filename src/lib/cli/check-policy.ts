import {RunError} from '../domain/failure.ts'
import {RULES} from '../judge/catalogue.ts'
import type {CheckPolicy, RuleLevel} from '../judge/check-policy.ts'
import {readAcceptFile} from './accept-file.ts'
import {Acceptances} from './acceptances.ts'
import {parseChoice} from './flags/values.ts'
import {readRoots} from './root-questions.ts'
import {ruleName} from './rule-name.ts'
import {readThresholds, type ThresholdFlagValues} from './thresholds.ts'

/** The flags that say what the rules are, as oclif gives them. */
export interface CheckFlagValues extends ThresholdFlagValues {
  readonly rule?: readonly string[] | undefined
  readonly severity?: readonly string[] | undefined
  readonly accept?: string | undefined
  readonly roots?: readonly string[] | undefined
}

/** What the flags make of the rules, and what is to be said of that at the end. */
interface ReadPolicy {
  /** For a run over these contexts. */
  readonly policyIn: (contexts: readonly string[]) => CheckPolicy
  readonly remarks: () => readonly string[]
}

/**
 * Reads the flags, and the files that they name. Throws RunError (usage) for a rule that there is not, a level that is
 * none, and whatever is wrong in a file.
 */
export async function readCheckPolicy(flags: CheckFlagValues, nowMs: () => number): Promise<ReadPolicy> {
  const {rule, severity = [], accept, roots} = flags
  const accepted = accept === undefined ? undefined : new Acceptances(accept, await readAcceptFile(accept), nowMs)
  const levels = new Map(severity.map(readLevel))
  const isAnyOn = (rule ?? RULES.map(({name}) => name)).some((name) => levels.get(name) !== 'off')
  if (!isAnyOn) throw new RunError(2, 'bad-flag', 'No rule is left: --severity turns off all that --rule names')
  const given = {
    ...(rule !== undefined && {only: new Set(rule.map((name) => ruleName(name, 'Bad value for --rule')))}),
    levels,
    thresholds: readThresholds(flags),
    ...(roots !== undefined && {expectedRoots: await readRoots(roots)}),
  }
  return {
    policyIn: ([context, ...others]) => ({
      ...given,
      accept: (finding, pod) => accepted?.accept(finding, pod, others.length === 0 ? context : undefined),
    }),
    remarks: () => accepted?.unusedLines() ?? [],
  }
}

function readLevel(text: string): readonly [string, RuleLevel] {
  const [name = '', level = '', ...rest] = text.split('=')
  if (rest.length > 0 || level === '')
    throw new RunError(2, 'bad-flag', `Bad value for --severity: expected RULE=LEVEL, got ${JSON.stringify(text)}`)
  return [ruleName(name, 'Bad value for --severity'), parseChoice(level, 'severity', ['off', 'warn', 'fail'])]
}
