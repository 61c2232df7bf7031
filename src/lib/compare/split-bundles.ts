import type {CertificateBlock} from '../domain/certificate.ts'
import {type Held, kindOf} from './held.ts'
import {hasRoot, rootBasis, rootSet} from './root-set.ts'

/**
 * A proxy may hold the roots of each trust domain apart (a SPIFFE validator), where its agent holds all of them as one
 * bundle. Such a bundle of the agent's becomes one for each trust domain of the proxy's, so that each is compared with
 * its own; what the proxy holds for none of them stays with the first.
 */
export function splitBundles(agent: readonly Held[], proxy: readonly Held[]): readonly Held[] {
  const apart = Map.groupBy(
    proxy.filter((one) => kindOf(one) === 'bundle' && one.item.trustDomain !== undefined),
    ({item}) => item.name,
  )
  return agent.flatMap((one) => {
    const domains = apart.get(one.item.name) ?? []
    const isOne = kindOf(one) === 'bundle' && one.item.trustDomain === undefined && one.item.certificates.length > 0
    return isOne && domains.length > 1 ? split(one, domains) : [one]
  })
}

function split(agent: Held, domains: readonly Held[]): readonly Held[] {
  const {certificates} = agent.item
  const basis = rootBasis(certificates, ...domains.map(({item}) => item.certificates))
  const sets = domains.map(({item}) => rootSet(item.certificates, basis))
  const parts = domains.map((): CertificateBlock[] => [])
  for (const root of certificates) {
    const places = parts.filter((_, index) => {
      const set = sets[index]
      return set !== undefined && root.readable && hasRoot(set, root, basis)
    })
    for (const part of places.length > 0 ? places : parts.slice(0, 1)) part.push(root)
  }
  // Of what the first part holds besides, nobody tells the trust domain.
  return domains.map(({item: {trustDomain}}, index) => ({
    ...agent,
    item: {
      ...agent.item,
      ...(trustDomain !== undefined && index > 0 && {trustDomain}),
      certificates: parts[index] ?? [],
    },
  }))
}
