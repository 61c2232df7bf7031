import type {Skip} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import {type Container, type Pod, podKey} from '../domain/pod.ts'
import {restartsText, statusText} from '../domain/pod-status.ts'

/** Whether a pod's agent can be asked now; neither `skip` nor `failure` means yes. */
export interface Asking {
  readonly skip?: Skip
  readonly failure?: Failure
  /** It is being deleted: what fails on it from here on is a skip (`terminating`), not a failure. */
  readonly leaving: boolean
}

/** What a pod that has no agent running yet is given before that counts as a failure. */
export interface Clock {
  /** Ms since 1970. */
  readonly nowMs: number
  readonly settleMs: number
}

/** Reasons of a container that is about to start, and whose pod says more than it does. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing'])

/**
 * The agent's own container decides, not the pod: a crashing application beside a running agent is asked, a pod that
 * is pending for the sake of another container too. Where no container is the agent, the pod's phase decides.
 */
export function decideAsking(pod: Pod, container: Container | undefined, clock: Clock): Asking {
  const leaving = pod.deletedAt !== undefined
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return {skip: skipEnded(pod), leaving}
  const isLost = pod.reason === 'NodeLost' || (pod.phase !== 'Running' && pod.phase !== 'Pending')
  const state = container?.state.phase ?? 'unknown'
  // A running pod without a word on this container is asked: the status may lag behind.
  if (!isLost && (state === 'running' || (state === 'unknown' && pod.phase === 'Running'))) return {leaving}
  const status = statusText(pod, container?.name)
  if (leaving) return {skip: {code: 'terminating', message: `${podKey(pod)} is going away: ${status}`}, leaving}
  if (pod.phase !== 'Running' && isYoung(pod, clock)) {
    return {skip: {code: 'pending', message: `${podKey(pod)} has just been made: ${status}`}, leaving}
  }
  const hasOwnReason = state === 'terminated' || !STARTING.has(container?.state.reason ?? 'PodInitializing')
  const isItsOwn = container !== undefined && hasOwnReason && !isLost
  return {failure: isItsOwn ? containerFailure(pod, container) : podFailure(pod, status), leaving}
}

function skipEnded(pod: Pod): Skip {
  const message = `${podKey(pod)} has ended: ${withDetail(pod.reason ?? statusText(pod), pod.message)}`
  return {code: pod.reason === 'Evicted' ? 'evicted' : 'finished', message}
}

/** A pod whose age is unknown, or lies ahead of our clock, counts as young only in the second case. */
function isYoung(pod: Pod, {nowMs, settleMs}: Clock): boolean {
  const createdMs = pod.createdAt === undefined ? Number.NaN : Date.parse(pod.createdAt)
  return nowMs - createdMs <= settleMs
}

function containerFailure(pod: Pod, {name, state, restarts}: Container): Failure {
  const reason = withDetail(state.reason ?? state.phase, state.message)
  const exit = state.exitCode === undefined ? '' : `, exit code ${state.exitCode}`
  const times = restarts === 0 ? '' : `, ${restartsText(restarts)}`
  const isOtherSystem = pod.os === 'windows' || /windows\//i.test(state.message ?? '')
  return {
    stage: 'select',
    code: 'container-not-running',
    message: `Container ${name} of ${podKey(pod)} is not running: ${reason}${exit}${times}`,
    hint: isOtherSystem
      ? 'The proxy has no image for Windows: leave this workload out of the mesh'
      : `kubectl ${flags(pod)} ${restarts > 0 || state.phase === 'terminated' ? `logs ${pod.name} -c ${name} --previous` : `describe pod ${pod.name}`}`,
  }
}

function podFailure(pod: Pod, status: string): Failure {
  return {
    stage: 'select',
    code: 'pod-not-running',
    message: `${podKey(pod)} is not running: ${withDetail(status, pod.message)}`,
    hint: `kubectl ${flags(pod)} describe pod ${pod.name}`,
  }
}

function flags({context, namespace}: Pod): string {
  return context === undefined ? `-n ${namespace}` : `--context ${context} -n ${namespace}`
}

/** The cluster's own words in one line, cut where they become a story. */
function withDetail(text: string, detail: string | undefined): string {
  const line = (detail ?? '').replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line === '' ? text : `${text} (${line.length > 200 ? `${line.slice(0, 199)}…` : line})`
}
