import type {Agent, Skip} from './agent.ts'
import type {Failure} from './failure.ts'
import type {Finding} from './finding.ts'
import type {MeshFacts} from './mesh-facts.ts'
import type {Pod} from './pod.ts'
import type {Route, Source} from './question.ts'
import type {FleetRoots, PodRoots} from './roots.ts'
import {isReference} from './source-side.ts'
import type {Difference, SecretDiffRow, SecretListRow, SecretShowRow} from './row.ts'
import type {RuleCoverage, RuleInfo, RuleOutcome} from './rule.ts'

export type Verdict = 'pass' | 'warn' | 'fail' | 'unknown' | 'skipped'

export type SideState = 'read' | 'partial' | 'failed' | 'not-asked' | 'none'

export interface SideReport {
  readonly state: SideState
  readonly answers: readonly {readonly source: Source; readonly route: Route}[]
}

/** Whether a source of the pod itself said anything, on either side. */
export function hasAnswer({agent, proxy}: PodItem['sides']): boolean {
  return [...agent.answers, ...proxy.answers].some(({source}) => !isReference(source))
}

/** What every kind of item says of its pod. */
export interface PodItem {
  readonly pod: Pod
  /** Absent where the pod carries none (skipped with `no-agent`). */
  readonly agent?: Agent
  readonly verdict: Verdict
  readonly skipped?: Skip
  readonly sides: {readonly agent: SideReport; readonly proxy: SideReport}
  readonly failures: readonly Failure[]
  /** A part that was asked for is missing: counts for exit code 3. */
  readonly incomplete: boolean
  readonly findings: readonly Finding[]
  /** Worth a line, and no fault: `skipped 2 lines before the JSON`. */
  readonly notes?: readonly string[]
}

export interface SecretDiffItem extends PodItem {
  readonly rows: readonly SecretDiffRow[]
  /** Only with `--detail`. */
  readonly differences?: readonly Difference[]
}

export interface SecretListItem extends PodItem {
  readonly rows: readonly SecretListRow[]
}

export interface SecretShowItem extends PodItem {
  readonly rows: readonly SecretShowRow[]
}

/** `secrets roots`: what one pod says of mesh roots; what it means stands with the fleet. */
export interface RootsItem extends PodItem {
  readonly roots: PodRoots
}

/** `check`: what each rule says of one pod; what it found stands among the findings. */
export interface CheckItem extends PodItem {
  /** Of the rules that are about its kind. */
  readonly outcomes: readonly RuleOutcome[]
  /** Its secrets, against the other side: what the rules were held against. */
  readonly rows: readonly SecretDiffRow[]
  /** What it says of mesh roots, for the rules on the fleet. */
  readonly roots: PodRoots
  /** What it says of its node and its mesh, for the rules on nodes and on the fleet; absent where it was not looked at. */
  readonly mesh?: MeshFacts
}

/** `agents list`: the agent alone says it all. */
export type AgentItem = PodItem

/** Said of the fleet, once, at the end. */
export interface FleetReport {
  readonly type: 'fleet'
  /** `false` after a limit, a shard or a stop. */
  readonly complete: boolean
  readonly findings: readonly Finding[]
  /** Only of `secrets roots`. */
  readonly roots?: FleetRoots
  /** Only of `check`. */
  readonly check?: FleetCheck
}

/** What `check` says of all pods together, beside findings. */
export interface FleetCheck {
  /** The rules that were held against the pods, in the order in which they are told. */
  readonly rules: readonly RuleInfo[]
  /** Of the rules on nodes and on the fleet. */
  readonly outcomes: readonly RuleOutcome[]
  /** Of a rule on nodes or on the fleet that had to be answered the evidence is missing: counts for exit code 3. */
  readonly incomplete: boolean
  /** How many pods each rule said something of, and of how many it could not. */
  readonly coverage: readonly RuleCoverage[]
}

/** The stream of a run; renderers, notes and the exit code are folds over it, and none sees another. */
export type ReportEvent<Item extends PodItem = PodItem> =
  | {readonly type: 'item'; readonly item: Item}
  /** Every pod up to here was reported; `cursor` resumes after it and is absent at the end of the listing. */
  | {readonly type: 'page'; readonly cursor?: string; readonly remaining?: number; readonly consistent: boolean}
  /** The run ended early; what came before stands. `cursor` resumes after the last reported item. */
  | {
      readonly type: 'stopped'
      readonly code: string
      readonly message: string
      readonly hint?: string
      readonly cursor?: string
    }
  | FleetReport
