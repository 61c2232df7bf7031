import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {Pod} from '../domain/pod.ts'
import type {Form, Side} from '../domain/question.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import type {Purpose, Wants} from './plan.ts'

/** What a source needs to know of a pod to be asked. */
export interface Asked {
  readonly pod: Pod
  readonly agent: Agent
  readonly profile: Profile
}

/** How one source is asked. */
export interface SourceSpec {
  /** Sides it speaks for; the first is the side of the question. */
  readonly sides: readonly [Side, ...Side[]]
  readonly maxBytes: number
  /**
   * Asked of every pod of its kinds that has it, of some of them, or only where the user names it; `doubted`: where the
   * user names it, and else only of pods whose answers give a reason, which `later` finds.
   */
  readonly asked: 'always' | 'sometimes' | 'named' | 'doubted'
  /** Whether its own flag was given, where its name (`named`) does not make it asked. */
  readonly optedIn?: (wants: OptIns) => boolean
  /** Where it answers; decides which routes lead there. */
  readonly reach: 'admin' | 'loopback' | 'pod' | 'file' | 'socket' | 'api'
  /** Whether a command wants it that did not name it. */
  readonly wanted?: (purpose: Purpose) => boolean
  /** Whether to ask it of this pod, where the user did not name it. */
  readonly suits?: (asked: Asked, wants: Pick<Wants, 'via' | 'purpose'>) => boolean
  /** Its forms, or why this pod has none of it; absent where it is asked only once more is known. */
  readonly forms?: (asked: Asked) => Forms
  /** What earlier rounds brought asks for; `round` is counted from 1, the first that may ask. */
  readonly later?: (asked: Asked, seen: readonly Observation[], round: number, wants: OptIns) => Later
  /** Rights on objects of the API, where it reads some. */
  readonly rights?: readonly ApiRight[]
}

/** Of what a command wants, what opens something. */
type OptIns = Pick<Wants, 'sds' | 'kubernetesSecrets' | 'secretNames'>

/** What to ask in a later round, each with its forms in order, and what of it cannot be asked. */
export interface Later {
  readonly asks: readonly (readonly [Form, ...Form[]])[]
  readonly failure?: Pick<Failure, 'code' | 'message' | 'hint'>
}

/** A right that reading objects of the API needs. */
export interface ApiRight {
  readonly verb: 'get' | 'list'
  /** Absent for the core group. */
  readonly group?: string
  readonly resource: string
  /** Where only one object is read. */
  readonly resourceName?: string
  /** What it lets its holder do. */
  readonly opens: string
  /** Only some clusters need it. */
  readonly isForSome?: true
}

/** Forms in order, or why a pod has nothing to ask there. */
export type Forms = readonly [Form, ...Form[]] | {readonly missing: string; readonly hint?: string}

export const MIB = 1024 * 1024

/** Evidence of what the agent has, where what the proxy trusts is all that matters. */
export function isOfAgent(purpose: Purpose): boolean {
  return purpose !== 'mesh-roots'
}

/** What only the rules of `check` need. */
export function isOfCheck(purpose: Purpose): boolean {
  return purpose === 'check'
}
