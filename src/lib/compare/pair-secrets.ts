import {firstOf, type Held, isWaiting, kindOf} from './held.ts'
import {basisOf, isSame} from './same-certificate.ts'

/** The proxy's secrets, each with the agent's of the same name, and what of the agent's is left over. */
export interface Pairing {
  readonly pairs: readonly {readonly proxy: Held; readonly agent?: Held}[]
  readonly agentOnly: readonly Held[]
}

/**
 * Pairs secrets by name, and by trust domain where both sides tell one. Of several with one name, equal
 * certificates pair first, the rest in order.
 */
export function pairSecrets(agent: readonly Held[], proxy: readonly Held[]): Pairing {
  const offered = Map.groupBy(agent, ({item}) => item.name)
  const partner = new Map<Held, Held>()
  for (const [name, wanting] of Map.groupBy(proxy, ({item}) => item.name)) {
    const open = new Set(offered.get(name))
    pairEqual(wanting, open, partner)
    pairAlike(wanting, open, partner)
    pairInOrder(wanting, open, partner)
  }
  const paired = new Set(partner.values())
  return {
    pairs: proxy.map((one) => {
      const other = partner.get(one)
      return other === undefined ? {proxy: one} : {proxy: one, agent: other}
    }),
    agentOnly: agent.filter((one) => !paired.has(one)),
  }
}

function pairEqual(wanting: readonly Held[], open: Set<Held>, partner: Map<Held, Held>): void {
  const byFingerprint = Map.groupBy([...open], fingerprintOf)
  for (const proxy of wanting) {
    const fingerprint = fingerprintOf(proxy)
    const candidates = fingerprint === undefined ? [] : (byFingerprint.get(fingerprint) ?? [])
    const match = candidates.find((agent) => open.has(agent) && fit(agent, proxy))
    if (match === undefined) continue
    partner.set(proxy, match)
    open.delete(match)
  }
}

/** Where one side has no fingerprint: same serial and dates, or the same expiry. */
function pairAlike(wanting: readonly Held[], open: Set<Held>, partner: Map<Held, Held>): void {
  for (const proxy of wanting) {
    const theirs = firstOf(proxy)
    if (partner.has(proxy) || theirs?.readable !== true) continue
    const match = open.values().find((agent) => {
      const ours = firstOf(agent)
      if (ours?.readable !== true || !fit(agent, proxy)) return false
      const basis = basisOf(ours, theirs)
      return basis !== 'fingerprint' && isSame(ours, theirs, basis)
    })
    if (match === undefined) continue
    partner.set(proxy, match)
    open.delete(match)
  }
}

function pairInOrder(wanting: readonly Held[], open: Set<Held>, partner: Map<Held, Held>): void {
  // What is in use stands for the name before what waits.
  const inUseFirst = wanting.toSorted((a, b) => Number(isWaiting(a)) - Number(isWaiting(b)))
  for (const proxy of inUseFirst) {
    if (partner.has(proxy)) continue
    const next = open.values().find((agent) => fit(agent, proxy))
    if (next === undefined) continue
    partner.set(proxy, next)
    open.delete(next)
  }
}

/** Can be the same secret: not a chain against a bundle, and not of two trust domains. */
function fit(agent: Held, proxy: Held): boolean {
  const kinds = [kindOf(agent), kindOf(proxy)]
  const isOfAKind = kinds[0] === kinds[1] || kinds.includes('unknown')
  const domains = [agent.item.trustDomain, proxy.item.trustDomain]
  return isOfAKind && (domains[0] === domains[1] || domains.includes(undefined))
}

function fingerprintOf(held: Held): string | undefined {
  const first = firstOf(held)
  return first?.readable === true ? first.fingerprint : undefined
}
