import {firstOf, type Held, kindOf} from './held.ts'
import {basisOf, isSame} from './same-certificate.ts'
import {WORKLOAD_SECRET} from './source-scope.ts'

/**
 * Envoy's `/certs` tells the certificates of TLS contexts without the names of their secrets. Each chain gets the name
 * under which the agent holds the same certificate, or one of the same SPIFFE id; roots become one bundle by the name
 * of the agent's that holds them. The rest stay as they are.
 */
export function nameContexts(proxy: readonly Held[], agent: readonly Held[]): readonly Held[] {
  const chains = agent.filter((one) => kindOf(one) === 'chain')
  const bundles = agent.filter((one) => kindOf(one) === 'bundle')
  const bundleOf = new Map(
    proxy
      .filter((one) => one.by.source === 'envoy-certs' && kindOf(one) === 'bundle')
      .map((one) => [one, bundles.find((other) => other.item.certificates.some((root) => isAlike(root, one)))]),
  )
  const namesakes = Map.groupBy(bundleOf.keys(), (one) => bundleOf.get(one))
  return proxy.flatMap((one) => {
    if (one.by.source !== 'envoy-certs') return [one]
    if (kindOf(one) === 'chain') {
      const match =
        chains.find((other) => isAlike(firstOf(other), one)) ?? chains.find((other) => isOfOneIdentity(other, one))
      return [match === undefined ? one : {...one, item: {...one.item, name: match.item.name}}]
    }
    const bundle = bundleOf.get(one)
    const roots = namesakes.get(bundle) ?? []
    if (bundle === undefined) return [one]
    const certificates = roots.flatMap(({item}) => item.certificates)
    return roots[0] === one ? [{...one, item: {...one.item, name: bundle.item.name, certificates}}] : []
  })
}

function isAlike(ours: ReturnType<typeof firstOf>, proxy: Held): boolean {
  const theirs = firstOf(proxy)
  return ours?.readable === true && theirs?.readable === true && isSame(ours, theirs, basisOf(ours, theirs))
}

/** A workload has one mesh identity, so where the agent tells none (a metric) any SPIFFE id at the proxy is it. */
function isOfOneIdentity(agent: Held, proxy: Held): boolean {
  const [ours, theirs] = [firstOf(agent), firstOf(proxy)]
  if (ours?.readable !== true || theirs?.readable !== true || theirs.spiffeIds.length === 0) return false
  const [id] = ours.spiffeIds
  return id === undefined ? agent.item.name === WORKLOAD_SECRET : theirs.spiffeIds.includes(id)
}
