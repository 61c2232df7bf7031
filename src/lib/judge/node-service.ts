import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {NodeService, NodeTrouble} from '../domain/mesh-facts.ts'
import {oneLine} from './describe-row.ts'
import {agentDisconnected} from './rules/agent-disconnected.ts'
import {missingSource} from './missing-evidence.ts'
import {isEvaluated, type PodSeen} from './rule.ts'

/** How a pod fares that serves its node; undefined where it does not. */
export function nodeServiceOf(seen: PodSeen): NodeService | undefined {
  const role = seen.agent.nodeService
  if (role === undefined) return undefined
  const {troubles, missing} = role === 'ztunnel' ? ofZtunnel(seen) : ofCni(seen)
  const expected = seen.observations.find((one) => one.type === 'identities-expected')
  return {
    role,
    troubles: [...notReady(seen), ...troubles],
    ...(missing !== undefined && {missing}),
    ...(expected !== undefined && {serves: expected.workloads.length}),
  }
}

/** The same of one that does not run, and cannot be asked. */
export function stoppedService({nodeService}: Agent, failure: Failure): NodeService | undefined {
  if (nodeService === undefined) return undefined
  return {role: nodeService, troubles: [{code: 'not-running', text: failure.message}]}
}

type Said = Pick<NodeService, 'troubles' | 'missing'>

function ofZtunnel(seen: PodSeen): Said {
  const said = agentDisconnected.judge(seen)
  if (said === undefined) return {troubles: []}
  if (!isEvaluated(said)) return {troubles: [], missing: said}
  return {troubles: said.map(({message}): NodeTrouble => ({code: 'not-connected', text: message}))}
}

function ofCni(seen: PodSeen): Said {
  const said = seen.observations.find((one) => one.type === 'cni')
  if (said === undefined) {
    const missing = missingSource('cni-metrics', seen) ?? {
      cause: 'scope' as const,
      reason: 'its metrics were not asked',
    }
    return {troubles: [], missing}
  }
  const troubles: readonly (NodeTrouble | false)[] = [
    said.installed === false && {code: 'not-installed', text: 'its plugin is not installed on the node'},
    said.ztunnelConnected === false && {code: 'no-ztunnel', text: "the node's ztunnel is not connected to it"},
  ]
  return {troubles: troubles.filter((one) => one !== false)}
}

/** Its own word on it, and where that was not asked the kubelet's on its container. */
function notReady({pod, agent, observations}: PodSeen): readonly NodeTrouble[] {
  const said = observations.find((one) => one.type === 'readiness' && one.side === 'agent')
  if (said?.type === 'readiness') {
    if (said.ready) return []
    const why = said.text === undefined ? 'no reason given' : oneLine(said.text)
    return [{code: 'not-ready', text: `it says that it is not ready: ${why}`}]
  }
  const container = pod.containers.find(({name}) => name === agent.container)
  if (container === undefined || container.ready || pod.phase !== 'Running') return []
  return [{code: 'not-ready', text: `its kubelet finds container ${container.name} not ready`}]
}
