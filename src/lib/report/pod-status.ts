import type {Container, Pod} from '../domain/pod.ts'
import type {PodItem} from '../domain/report.ts'

/** One word for a pod, much as kubectl's STATUS: why it ends or waits, else its phase. */
export function podStatus(pod: Pod): string {
  if (pod.reason !== undefined && pod.reason !== '') return pod.reason
  if (pod.deletedAt !== undefined) return 'Terminating'
  const waiting = pod.containers.find(({state}) => state.phase === 'waiting' && isTrouble(state.reason))
  return waiting?.state.reason ?? (pod.phase === '' ? 'Unknown' : pod.phase)
}

/** The container that the agent runs in; absent where the pod has none. */
export function agentContainer({pod, agent}: PodItem): Container | undefined {
  return agent === undefined ? undefined : pod.containers.find(({name}) => name === agent.container)
}

/** The two words for a container that only waits its turn are no status of the pod's own. */
function isTrouble(reason: string | undefined): boolean {
  return reason !== undefined && reason !== 'PodInitializing' && reason !== 'ContainerCreating'
}
