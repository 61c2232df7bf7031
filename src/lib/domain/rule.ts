import type {FindingSeverity} from './finding.ts'
import type {Source} from './question.ts'

/** What a rule is about: each pod by itself, each node, or all pods together. */
type RuleScope = 'pod' | 'node' | 'fleet'

/** What people are told of a rule; its name is stable. */
export interface RuleInfo {
  readonly name: string
  readonly scope: RuleScope
  /** Of most of its findings; some are milder by nature. */
  readonly severity: FindingSeverity
  /** What holds where the rule does, in one line: `Every certificate has begun and not ended`. */
  readonly summary: string
  /** What a finding means. */
  readonly meaning: string
  /** Why it matters: what stops, and when. */
  readonly importance: string
  /** What to do about it. */
  readonly action: string
  /** Who tells what it is held against; it needs one of them. */
  readonly sources?: readonly Source[]
  /** Flags that change what it says, beside those that every rule has: `--warn-before`. */
  readonly flags?: readonly string[]
}

/**
 * Why a rule says nothing of a pod: its evidence does not exist there or was not asked for (`scope`), the user may not
 * read it (`forbidden`), or it could not be had (`failed`).
 */
export type NotEvaluatedCause = 'scope' | 'forbidden' | 'failed'

/** What one rule says of one pod, or of the fleet. A rule that is not about a pod's kind has none. */
export type RuleOutcome =
  | {readonly rule: string; readonly result: 'pass' | 'warn' | 'fail'}
  | {
      readonly rule: string
      readonly result: 'not-evaluated'
      readonly cause: NotEvaluatedCause
      /** In words. */
      readonly reason: string
    }

/** Over all pods, what one rule could be held against. */
export interface RuleCoverage {
  readonly rule: string
  /** Pods of which it said that it holds or does not. */
  readonly evaluated: number
  /** Pods of which it could not, by cause, each with one of the reasons. */
  readonly notEvaluated: readonly {readonly cause: NotEvaluatedCause; readonly pods: number; readonly example: string}[]
}
