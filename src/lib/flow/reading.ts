import type {Asked} from '../compare/evidence.ts'
import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {Pod} from '../domain/pod.ts'

/** All that one look at a pod gave: both halves are kept whatever failed. */
export interface Reading {
  readonly observations: readonly Observation[]
  /** Questions that got no answer at all. */
  readonly failures: readonly Failure[]
  readonly asked: Asked
}

/**
 * Looks at one pod once. Failures of the pod are data; what is thrown is a bug or the run's own end. A later look is
 * `isAgain`: then what is shared with other pods is not taken from before the earlier one ended.
 */
export type ReadPod = (pod: Pod, agent: Agent, signal: AbortSignal, isAgain: boolean) => Promise<Reading>
