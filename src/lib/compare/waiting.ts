import {BY_DESIGN} from '../domain/rank.ts'
import type {SecretDiffRow, SecretRow} from '../domain/row.ts'
import {refusedText} from '../domain/secret.ts'
import {diffRow} from './diff-row.ts'
import {type Held, kindOf} from './held.ts'
import {joinedRow, stateOf} from './joined-row.ts'
import {secretRow} from './secret-row.ts'

/**
 * The row of a secret that the proxy asked for and has not got: one, with the agent's certificate where it is known.
 * That the proxy waits is a difference whoever should have served it; only `invalid://…` waits by design (Istio 1.26+).
 */
export function waitingRow(proxy: Held, agent?: Held): SecretDiffRow {
  const isDesigned = proxy.item.name.startsWith('invalid://')
  const outcome = {
    proxy: stateOf(proxy),
    proxySource: proxy.by.source,
    result: isDesigned ? 'NOT_COMPARABLE' : 'PROXY_WARMING',
    reason: isDesigned ? BY_DESIGN.warmsByDesign : waitingReason(proxy),
  } as const
  if (agent === undefined) return diffRow(secretRow(proxy), {...outcome, comparedBy: 'none'})
  const seen = {agent: 'PRESENT', agentSource: agent.by.source, comparedBy: 'presence'} as const
  return diffRow(agentsRow(agent, proxy), {...outcome, ...seen})
}

/** Why a waiting secret waits, where the proxy says so. */
function waitingReason({item}: Held): string {
  if (item.rejected !== undefined) return refusedText(item.rejected)
  return item.state === 'UNINITIALIZED' ? 'listed as active, but nothing was taken up' : ''
}

/** The agent's certificate in the proxy's state; of a bundle the first root stands for all. */
function agentsRow(agent: Held, proxy: Held): SecretRow {
  const {item} = agent
  const more = kindOf(agent) === 'bundle' ? Math.max(item.certificates.length - 1, 0) : 0
  const shown = more > 0 ? {...agent, item: {...item, certificates: item.certificates.slice(0, 1)}} : agent
  const row = joinedRow(secretRow(shown), agent, proxy)
  return {
    ...row,
    state: stateOf(proxy),
    ...(proxy.item.rejected !== undefined && {rejected: proxy.item.rejected}),
    ...(proxy.item.lastUpdated !== undefined && {lastUpdated: proxy.item.lastUpdated}),
    notes: more > 0 ? [...row.notes, `and ${more} more in the agent's bundle`] : row.notes,
  }
}
