import type {Acceptance, Finding} from '../domain/finding.ts'
import type {PodRef} from '../domain/pod.ts'
import type {WantedRoot} from '../domain/roots.ts'
import {oneLine} from './describe-row.ts'
import type {Thresholds} from './thresholds.ts'

/** What `--severity RULE=LEVEL` makes of a rule. */
export type RuleLevel = 'off' | 'warn' | 'fail'

/** What the user makes of the rules. */
export interface CheckPolicy {
  /** `--rule`: only these are held against the pods, and their evidence must be there; absent: all. */
  readonly only?: ReadonlySet<string>
  readonly levels: ReadonlyMap<string, RuleLevel>
  readonly thresholds: Thresholds
  /** `--roots`; absent: what is published. */
  readonly expectedRoots?: readonly WantedRoot[]
  /** Who accepted a finding, if anybody did; `pod` is absent for those on a node or the fleet. */
  readonly accept: (finding: Finding, pod?: PodRef) => Accepted | undefined
}

/** An acceptance, and whether its last day is over. */
export interface Accepted extends Acceptance {
  readonly hasEnded: boolean
}

/** Whether a rule is held against the pods at all. */
export function isOn(rule: string, {only, levels}: CheckPolicy): boolean {
  return levels.get(rule) !== 'off' && (only === undefined || only.has(rule))
}

/** The finding as the user wants it: how bad it is, and whether it is accepted. */
export function applyPolicy(finding: Finding, {levels, accept}: CheckPolicy, pod?: PodRef): Finding {
  const level = levels.get(finding.rule)
  const levelled = level === 'warn' || level === 'fail' ? {...finding, severity: level} : finding
  const accepted = accept(levelled, pod)
  if (accepted === undefined) return levelled
  const {reason, until, hasEnded} = accepted
  if (!hasEnded) return {...levelled, accepted: {reason, until}}
  const {message, brief} = levelled
  const was = ` (was accepted until ${until}: ${oneLine(reason)})`
  return {...levelled, message: `${message}${was}`, ...(brief !== undefined && {brief: `${brief}${was}`})}
}
