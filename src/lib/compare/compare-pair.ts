import type {SecretDiffRow} from '../domain/row.ts'
import {compareBundles} from './compare-bundles.ts'
import {compareChains} from './compare-chains.ts'
import {diffRow} from './diff-row.ts'
import {type Held, isWaiting, kindOf} from './held.ts'
import {joinedRow, stateOf} from './joined-row.ts'
import {rowsOf, secretRow} from './secret-row.ts'
import {waitingRow} from './waiting.ts'

/** Compares one secret that both sides name. */
export function comparePair(agent: Held, proxy: Held): readonly SecretDiffRow[] {
  if (isWaiting(proxy)) return [waitingRow(proxy, agent)]
  const both = {
    agent: 'PRESENT',
    proxy: stateOf(proxy),
    agentSource: agent.by.source,
    proxySource: proxy.by.source,
  } as const
  // What is in a generic secret is never read: that both have it is all there is to say.
  if (kindOf(agent) === 'opaque' && kindOf(proxy) === 'opaque')
    return [diffRow(joinedRow(secretRow(proxy), agent, proxy), {...both, result: 'MATCH', comparedBy: 'presence'})]
  const reason = whyNotComparable(agent, proxy)
  if (reason !== undefined) {
    const outcome = {...both, result: 'NOT_COMPARABLE', reason, comparedBy: 'none'} as const
    return rowsOf(proxy).map((row) => diffRow(joinedRow(row, agent, proxy), outcome))
  }
  const isBundle = kindOf(agent) === 'bundle' || kindOf(proxy) === 'bundle'
  return isBundle ? compareBundles(agent, proxy) : compareChains(agent, proxy)
}

/** Two sides that hold nothing readable are not equal for that. */
function whyNotComparable(agent: Held, proxy: Held): string | undefined {
  // A bundle that says nothing of why it is empty was one of several trust domains, and has none of this one.
  const isPart = kindOf(agent) === 'bundle' && agent.item.absent === undefined
  if (agent.item.certificates.length === 0 && !isPart)
    return agent.item.absent?.message ?? 'the agent holds no certificate'
  if (proxy.item.absent?.status === 'UNKNOWN') return proxy.item.absent.message
  const isBlind = [agent, proxy].every(({item}) => item.certificates.every(({readable}) => !readable))
  return isBlind ? 'unreadable on both sides' : undefined
}
