import type {Container, Pod} from './pod.ts'

/** Containers that count as kubectl counts them: those that keep running, native sidecars too. `1/2`. */
export function readyText(pod: Pod): string {
  const lasting = pod.containers.filter(({role}) => role !== 'init')
  return `${lasting.filter(({ready}) => ready).length}/${lasting.length}`
}

/**
 * What a pod is doing, in kubectl's words, with what kubectl leaves out in brackets: `Running (not ready)`,
 * `CrashLoopBackOff (istio-proxy, 9 restarts)`, `Pending (Unschedulable)`. Restarts are told of `agentContainer` alone.
 */
export function statusText(pod: Pod, agentContainer?: string): string {
  if (pod.reason === 'NodeLost') return 'Unknown (NodeLost)'
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return endedText(pod)
  if (pod.deletedAt !== undefined) return 'Terminating'
  if (pod.phase === 'Pending') return pendingText(pod)
  if (pod.phase === 'Running') return runningText(pod, agentContainer)
  return withReason('Unknown', pod.reason)
}

function endedText(pod: Pod): string {
  if (pod.reason === 'Terminated' && /node shutdown/i.test(pod.message ?? '')) return 'Terminated (node shutdown)'
  if (pod.reason !== undefined) return pod.reason
  const states = pod.containers.filter(({role}) => role === 'container').map(({state}) => state)
  const reasons = states.flatMap(({reason}) => reason ?? [])
  const fault = reasons.find((reason) => reason !== 'Completed')
  if (pod.phase === 'Failed') return fault ?? 'Failed'
  return fault ?? 'Completed'
}

function pendingText(pod: Pod): string {
  const scheduled = pod.conditions.find(({type, status}) => type === 'PodScheduled' && status === 'False')
  if (scheduled?.reason === 'SchedulingGated' || (pod.schedulingGates ?? []).length > 0) return 'SchedulingGated'
  const initial = initText(pod)
  if (initial !== undefined) return initial
  const waiting = pod.containers.find(({state}) => state.phase === 'waiting' && state.reason !== undefined)
  return waiting?.state.reason ?? withReason('Pending', scheduled?.reason ?? pod.reason)
}

/** `Init:0/1`, `Init:CrashLoopBackOff`; `undefined` once all are done, or where nothing is known of them. */
function initText(pod: Pod): string | undefined {
  const initial = pod.containers.filter(({role}) => role !== 'container')
  const index = initial.findIndex((container) => container.state.phase !== 'unknown' && !isInitialised(container))
  const state = initial[index]?.state
  if (state === undefined) return undefined
  if (state.phase === 'terminated') return `Init:${state.reason ?? `ExitCode:${state.exitCode ?? '?'}`}`
  if (state.phase === 'waiting' && state.reason !== undefined && state.reason !== 'PodInitializing') {
    return `Init:${state.reason}`
  }
  return `Init:${index}/${initial.length}`
}

function isInitialised({role, state}: Container): boolean {
  return state.phase === 'terminated' ? state.exitCode === 0 : state.phase === 'running' && role === 'sidecar'
}

function runningText(pod: Pod, agentContainer: string | undefined): string {
  const lasting = pod.containers.filter(({role}) => role !== 'init')
  const stuck = lasting.find(({state}) => state.phase === 'waiting' && state.reason !== undefined)
  const broken = stuck ?? lasting.find(({state}) => state.phase === 'terminated' && state.reason !== 'Completed')
  if (broken !== undefined) {
    const restarts = broken.name === agentContainer && broken.restarts > 0 ? `, ${restartsText(broken.restarts)}` : ''
    return `${broken.state.reason ?? 'Error'} (${broken.name}${restarts})`
  }
  const ready = pod.conditions.find(({type}) => type === 'Ready')
  if (ready === undefined ? lasting.every((container) => container.ready) : ready.status === 'True') return 'Running'
  const apps = lasting.filter(({role, name}) => role === 'container' && name !== agentContainer)
  const hasCompleted = apps.length > 0 && apps.every(({state}) => state.phase === 'terminated')
  return hasCompleted ? 'Running (not ready; app completed)' : 'Running (not ready)'
}

/** `1 restart`, `9 restarts`. */
export function restartsText(restarts: number): string {
  return restarts === 1 ? '1 restart' : `${restarts} restarts`
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : `${text} (${reason})`
}
