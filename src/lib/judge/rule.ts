import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Finding} from '../domain/finding.ts'
import type {ManagedSecret} from '../domain/managed-secret.ts'
import type {Observation} from '../domain/observation.ts'
import type {Pod} from '../domain/pod.ts'
import type {PodItem} from '../domain/report.ts'
import type {WantedRoot} from '../domain/roots.ts'
import type {SecretDiffRow, SecretShowRow} from '../domain/row.ts'
import type {NotEvaluatedCause, RuleInfo} from '../domain/rule.ts'
import type {Row} from './describe-row.ts'
import type {Thresholds} from './thresholds.ts'

/** All that is known of one pod when the rules are held against it. */
export interface PodSeen {
  readonly pod: Pod
  readonly agent: Agent
  /** Its secrets, against the other side. */
  readonly rows: readonly SecretDiffRow[]
  /** What each side holds, each chain followed to what its own side trusts. */
  readonly held: readonly SecretShowRow[]
  readonly observations: readonly Observation[]
  /** The Certificates of cert-manager behind its secrets. */
  readonly managed: readonly ManagedSecret[]
  /** `--roots`: what it has to trust, in place of what is published; absent where that holds. */
  readonly expectedRoots?: readonly WantedRoot[]
  readonly failures: readonly Failure[]
  readonly sides: PodItem['sides']
  /** The moment that is judged as of, ms since 1970. */
  readonly nowMs: number
  readonly thresholds: Thresholds
}

/** A rule says nothing of this pod, though it is about its kind. */
export interface NotEvaluated {
  readonly cause: NotEvaluatedCause
  readonly reason: string
}

/** What a rule says: what does not hold, or why it says nothing; undefined where it is not about this kind of pod. */
export type Judged = readonly Finding[] | NotEvaluated | undefined

/** A rule on one pod. */
export interface PodRule extends RuleInfo {
  readonly scope: 'pod'
  /** What it finds may pass within moments: it counts only where it is found again after `--settle`. */
  readonly settles?: true
  /** Time does not mend what it finds: there is nothing to wait for. */
  readonly lasts?: true
  judge(seen: PodSeen): Judged
}

/** A rule on each secret by itself, or against the other side. */
export interface RowRule extends PodRule {
  judgeRow(row: Row): readonly Finding[]
}

/** Whether a rule said what it found. */
export function isEvaluated(judged: Judged): judged is readonly Finding[] {
  return Array.isArray(judged)
}
