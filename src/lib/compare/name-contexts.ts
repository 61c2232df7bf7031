import {firstOf, type Held, kindOf} from './held.ts'
import {basisOf, isSame} from './same-certificate.ts'
import {WORKLOAD_SECRET} from './source-scope.ts'

/**
 * Envoy's `/certs` tells the certificates of TLS contexts without the names of their secrets. Each chain gets the name
 * under which the agent holds the same certificate, or one of the same SPIFFE id; the rest stay as they are.
 */
export function nameContexts(proxy: readonly Held[], agent: readonly Held[]): readonly Held[] {
  const chains = agent.filter((one) => kindOf(one) === 'chain')
  return proxy.map((one) => {
    if (one.by.source !== 'envoy-certs' || kindOf(one) !== 'chain') return one
    const match = chains.find((other) => isAlike(other, one)) ?? chains.find((other) => isOfOneIdentity(other, one))
    return match === undefined ? one : {...one, item: {...one.item, name: match.item.name}}
  })
}

function isAlike(agent: Held, proxy: Held): boolean {
  const [ours, theirs] = [firstOf(agent), firstOf(proxy)]
  return ours?.readable === true && theirs?.readable === true && isSame(ours, theirs, basisOf(ours, theirs))
}

/** A workload has one mesh identity, so where the agent tells none (a metric) any SPIFFE id at the proxy is it. */
function isOfOneIdentity(agent: Held, proxy: Held): boolean {
  const [ours, theirs] = [firstOf(agent), firstOf(proxy)]
  if (ours?.readable !== true || theirs?.readable !== true || theirs.spiffeIds.length === 0) return false
  const [id] = ours.spiffeIds
  return id === undefined ? agent.item.name === WORKLOAD_SECRET : theirs.spiffeIds.includes(id)
}
