import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {PodRef} from '../domain/pod.ts'
import type {Side, Source} from '../domain/question.ts'

/** What was asked of a pod, so that what was not asked is never taken for missing. */
export interface Asked {
  /** Each source with the side that it was asked for: certificates in a file are of the side that the user says. */
  readonly sources: readonly {readonly source: Source; readonly side: Side}[]
  /** The agent's kind has no secrets that anybody could tell. */
  readonly isNothing?: boolean
  /** Sources that the user left out: not asked, and no failure. */
  readonly excluded?: readonly Source[]
}

/** All that is known of one pod after one look at it. */
export interface Evidence {
  readonly pod: PodRef
  readonly agent: Agent
  readonly observations: readonly Observation[]
  /** Questions that got no answer; parts of answers that could not be used stand among the observations. */
  readonly failures: readonly Failure[]
  readonly asked: Asked
  /** Ms since 1970. */
  readonly nowMs: number
  /** From files there is one reading, and it counts; a live difference counts once it is confirmed. */
  readonly reading: 'files' | 'live'
  /** Only these secrets (`--secret`), by whole name; absent: all. */
  readonly secretNames?: readonly string[]
}
