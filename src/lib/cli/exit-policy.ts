import {parseChoice, parseShare} from './flags/values.ts'
import type {ExitPolicy} from './tally.ts'

/** The flags that change an exit code, as oclif gives them. */
export interface ExitFlagValues {
  readonly 'fail-on'?: string
  readonly 'exit-zero'?: boolean
  readonly 'allow-incomplete'?: boolean
  readonly 'allow-empty'?: boolean
  readonly 'max-unknown'?: string | undefined
}

/**
 * What the flags make of an exit code; `mayBeEmpty`: nothing selected is no failure, whatever they say. Throws RunError
 * (usage) for a value that is none.
 */
export function readExitPolicy(flags: ExitFlagValues, {mayBeEmpty}: {readonly mayBeEmpty: boolean}): ExitPolicy {
  return {
    failOn: parseChoice(flags['fail-on'] ?? 'fail', 'fail-on', ['fail', 'warn']),
    exitZero: flags['exit-zero'] ?? false,
    allowIncomplete: flags['allow-incomplete'] ?? false,
    allowEmpty: mayBeEmpty || (flags['allow-empty'] ?? false),
    maxUnknown: flags['max-unknown'] === undefined ? undefined : parseShare(flags['max-unknown'], 'max-unknown'),
  }
}
