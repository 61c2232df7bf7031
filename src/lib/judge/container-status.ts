import type {Finding} from '../domain/finding.ts'
import type {Container, ContainerState, Pod} from '../domain/pod.ts'
import {restartsText, statusText} from '../domain/pod-status.ts'
import {oneLine} from './describe-row.ts'

/** What the cluster itself says of a container. */
export interface ContainerStatus {
  /** `unknown` where it says nothing. */
  readonly state: 'ready' | 'not-ready' | 'not-running' | 'unknown'
  /** In words, where it is not ready. */
  readonly text: string
  readonly values: NonNullable<Finding['values']>
}

/** How a container fares by its pod's status: what its kubelet found, or why there is none to find anything. */
export function readContainerStatus(pod: Pod, name: string): ContainerStatus {
  const container = pod.containers.find((one) => one.name === name)
  const ready = pod.conditions.find(({type}) => type === 'Ready')
  const values = {
    container: name,
    ...(container !== undefined && valuesOf(container)),
    ...(ready !== undefined && ready.status !== 'True' && {pod_ready: `${ready.status} ${ready.reason ?? ''}`.trim()}),
  }
  const about = {values, text: ''}
  if (ready?.status === 'Unknown') {
    const reason = ready.reason === undefined ? '' : ` (${ready.reason})`
    return {...about, state: 'not-running', text: `nothing is heard of its node${reason}`}
  }
  const phase = container?.state.phase ?? 'unknown'
  if (container === undefined || phase === 'unknown') {
    if (pod.phase !== 'Pending') return {...about, state: 'unknown'}
    return {...about, state: 'not-running', text: `container ${name} is not running: ${statusText(pod)}`}
  }
  if (phase !== 'running') return {...about, state: 'not-running', text: notRunning(container)}
  if (container.ready) return {...about, state: 'ready'}
  return {...about, state: 'not-ready', text: `the kubelet does not find container ${name} ready`}
}

function notRunning({name, state, lastEnd, restarts}: Container): string {
  const times = restarts === 0 ? '' : `, ${restartsText(restarts)}`
  const before = lastEnd === undefined ? '' : `, ended before by ${endText(lastEnd)}`
  return oneLine(`container ${name} is not running: ${endText(state)}${times}${before}`)
}

function endText({phase, reason, exitCode}: ContainerState): string {
  return `${reason ?? phase}${exitCode === undefined ? '' : ` (exit code ${exitCode})`}`
}

function valuesOf({state, lastEnd, restarts}: Container): NonNullable<Finding['values']> {
  return {
    restarts,
    state: state.phase,
    ...(state.reason !== undefined && {reason: state.reason}),
    ...(lastEnd?.reason !== undefined && {last_end: lastEnd.reason}),
  }
}
