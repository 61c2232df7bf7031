import type {SecretDiffRow, SecretRow} from '../domain/row.ts'
import {diffRow} from './diff-row.ts'
import {firstOf, type Held} from './held.ts'
import {joinedRow, stateOf} from './joined-row.ts'
import {mismatchReason} from './mismatch-reason.ts'
import {type Basis, basisOf, isSame} from './same-certificate.ts'
import {secretRow} from './secret-row.ts'

/** Note of a row whose leaf both sides hold, and not the same certificates with it. */
export const OTHER_REST = 'the rest of the chain differs'

/** Compares two chains by their leaves: one row where they are the same, one for each side where they differ. */
export function compareChains(agent: Held, proxy: Held): readonly SecretDiffRow[] {
  const sources = {agentSource: agent.by.source, proxySource: proxy.by.source}
  const {basis, same} = compareLeaves(agent, proxy)
  if (same) {
    const outcome = {agent: 'PRESENT', proxy: stateOf(proxy), result: 'MATCH', comparedBy: basis, ...sources} as const
    const row = diffRow(matchingRow(agent, proxy), outcome)
    return [hasOtherRest(agent, proxy) ? {...row, agentChain: agent.item.certificates.slice(1)} : row]
  }
  const differing = {result: 'MISMATCH', reason: mismatchReason(agent, proxy), comparedBy: basis, ...sources} as const
  return [
    diffRow(secretRow(agent), {...differing, agent: 'PRESENT'}),
    diffRow(secretRow(proxy), {...differing, proxy: stateOf(proxy)}),
  ]
}

function compareLeaves(agent: Held, proxy: Held): {readonly basis: Basis | 'none'; readonly same: boolean} {
  const ours = firstOf(agent)
  const theirs = firstOf(proxy)
  if (ours?.readable !== true || theirs?.readable !== true) return {basis: 'none', same: false}
  const basis = basisOf(ours, theirs)
  return {basis, same: isSame(ours, theirs, basis)}
}

function matchingRow(agent: Held, proxy: Held): SecretRow {
  const row = joinedRow(secretRow(fuller(agent, proxy)), agent, proxy)
  return hasOtherRest(agent, proxy) ? {...row, notes: [...row.notes, OTHER_REST]} : row
}

/** Of one certificate seen twice, the one of which more is known; the proxy's own where both are whole. */
function fuller(agent: Held, proxy: Held): Held {
  if (isWhole(proxy) || !isWhole(agent)) return proxy
  return {...proxy, item: {...proxy.item, certificates: agent.item.certificates}}
}

/** Other intermediates under the same leaf; a root may come along or not. */
function hasOtherRest(agent: Held, proxy: Held): boolean {
  return isWhole(agent) && isWhole(proxy) && restOf(agent) !== restOf(proxy)
}

function restOf({item}: Held): string {
  const rest = item.certificates.slice(1).filter(({position}) => position !== 'root')
  return rest.map((block) => (block.readable ? block.fingerprint : block.problem)).join()
}

function isWhole(held: Held): boolean {
  const leaf = firstOf(held)
  return leaf?.readable === true && leaf.fingerprint !== undefined
}
