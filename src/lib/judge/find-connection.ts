import type {Failure} from '../domain/failure.ts'
import type {ProxySync, SyncStatesSeen} from '../domain/mesh-seen.ts'
import {proxyId} from '../domain/pod.ts'
import {asNotEvaluated} from './missing-evidence.ts'
import type {NotEvaluated, PodSeen} from './rule.ts'

/** A proxy at the istiod that it is connected to. */
interface Connection {
  readonly sync: ProxySync
  readonly at: SyncStatesSeen
}

/**
 * The istiod that knows the pod's proxy, and what it says of it; `none` where all answered and none does. One that could
 * not be asked may know it. Undefined for kinds that no istiod configures.
 */
export function findConnection(seen: PodSeen): Connection | 'none' | NotEvaluated | undefined {
  const {agent, pod, observations, failures} = seen
  if (agent.discovery === undefined) return undefined
  const all = observations.filter((one) => one.type === 'sync-states')
  const ours = all.flatMap((at) =>
    (at.proxies.get(proxyId(pod)) ?? []).filter((sync) => isOfCluster(sync, seen)).map((sync) => ({sync, at})),
  )
  // One that connects anew is listed twice for a moment.
  const newest = ours.toSorted((a, b) => sentMs(b.sync) - sentMs(a.sync))[0]
  if (newest !== undefined) return newest
  if (pod.deletedAt !== undefined) return {cause: 'scope', reason: 'it is going away'}
  const missed = failures.find(({source}) => source === 'istiod-syncz')
  if (missed !== undefined) return notTold(missed)
  return all.length === 0 ? {cause: 'scope', reason: 'no istiod was asked which proxies it knows'} : 'none'
}

/** Two clusters of a mesh may have pods of the same name. */
function isOfCluster({clusterId}: ProxySync, {pod, agent}: PodSeen): boolean {
  const own = pod.containers.find(({name}) => name === agent.container)?.env['ISTIO_META_CLUSTER_ID']
  return own === undefined || clusterId === undefined || own === clusterId
}

function sentMs({types}: ProxySync): number {
  return Math.max(0, ...types.map((type) => type.sentMs ?? 0))
}

/** An istiod without such an endpoint tells nothing, and one that does not run any more has no connections. */
const OUT_OF_SCOPE: ReadonlySet<string> = new Set(['no-source', 'path-unknown', 'pod-gone', 'pod-not-running'])

/** An istiod that has no such endpoint, or refuses it, is no fault of this run. */
function notTold(failure: Failure): NotEvaluated {
  if (OUT_OF_SCOPE.has(failure.code)) return {cause: 'scope', reason: failure.message}
  return failure.code === 'unauthorized' ? {cause: 'forbidden', reason: failure.message} : asNotEvaluated(failure)
}
