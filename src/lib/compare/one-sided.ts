import {BY_DESIGN} from '../domain/rank.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {diffRow} from './diff-row.ts'
import type {Evidence} from './evidence.ts'
import {completeFor, type Gathered} from './gather.ts'
import {type Held, isWaiting, kindOf} from './held.ts'
import {stateOf} from './joined-row.ts'
import {rowsOf} from './secret-row.ts'
import {isUnservedBy, unservedRow} from './unserved.ts'
import {waitingRow} from './waiting.ts'
import {whyUnseen} from './why-unseen.ts'

/** Rows of a secret that only the proxy names. */
export function onlyProxyRows(proxy: Held, evidence: Evidence, gathered: Gathered): readonly SecretDiffRow[] {
  const completeBy = completeFor(gathered.agent, proxy.item.name)
  if (isWaiting(proxy))
    return [isUnservedBy(completeBy) ? unservedRow(proxy, evidence.pod, completeBy) : waitingRow(proxy)]
  const seen = {proxy: stateOf(proxy), proxySource: proxy.by.source}
  // No agent lists generic secrets and ticket keys, so a list without them says nothing.
  if (completeBy !== undefined && kindOf(proxy) !== 'opaque') {
    const outcome = {...seen, result: 'ONLY_PROXY', comparedBy: 'presence', agentSource: completeBy} as const
    return rowsOf(proxy).map((row) => diffRow(row, outcome))
  }
  const reason = whyNoAgent(proxy, evidence, gathered)
  return rowsOf(proxy).map((row) => diffRow(row, {...seen, result: 'NOT_COMPARABLE', reason, comparedBy: 'none'}))
}

/** Rows of a secret that only the agent names. */
export function onlyAgentRows(agent: Held, evidence: Evidence, gathered: Gathered): readonly SecretDiffRow[] {
  const seen = {agent: 'PRESENT', agentSource: agent.by.source} as const
  const completeBy = completeFor(gathered.proxy, agent.item.name)
  const rows = rowsOf(agent)
  if (agent.item.certificates.length === 0 && kindOf(agent) !== 'opaque') {
    const reason = agent.item.absent?.message ?? 'the agent holds no certificate'
    return rows.map((row) => diffRow(row, {...seen, result: 'NOT_COMPARABLE', reason, comparedBy: 'none'}))
  }
  if (completeBy !== undefined) {
    const outcome = {...seen, result: 'ONLY_AGENT', comparedBy: 'presence', proxySource: completeBy} as const
    return rows.map((row) => diffRow(row, outcome))
  }
  const reason = whyUnseen('proxy', agent.item.name, evidence, gathered)
  return rows.map((row) => diffRow(row, {...seen, result: 'NOT_COMPARABLE', reason, comparedBy: 'none'}))
}

function whyNoAgent(proxy: Held, evidence: Evidence, gathered: Gathered): string {
  if (kindOf(proxy) === 'opaque') return BY_DESIGN.noSource
  const untold = gathered.untold.get(proxy.item.name)
  if (untold !== undefined) return untold
  const why = whyUnseen('agent', proxy.item.name, evidence, gathered)
  // An empty list is too little to call a secret the proxy's alone: the agent may know this pod no longer, or not yet.
  return why === BY_DESIGN.noSource && gathered.agentIsEmpty ? 'the agent lists no secrets of this pod' : why
}
