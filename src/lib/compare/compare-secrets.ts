import {BY_DESIGN} from '../domain/rank.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {compareIdentities} from './compare-identities.ts'
import {comparePair} from './compare-pair.ts'
import {comparePublished} from './compare-published.ts'
import {diffRow} from './diff-row.ts'
import type {Evidence} from './evidence.ts'
import {completeFor, type Gathered, type GatheredEvidence} from './gather.ts'
import {type Held, isWaiting, kindOf} from './held.ts'
import {stateOf} from './joined-row.ts'
import {nameContexts} from './name-contexts.ts'
import {onlyAgentRows, onlyProxyRows} from './one-sided.ts'
import {pairSecrets} from './pair-secrets.ts'
import {rowsOf} from './secret-row.ts'
import {ROOT_SECRET, WORKLOAD_SECRET} from '../domain/secret.ts'
import {splitBundles} from './split-bundles.ts'
import {waitingRow} from './waiting.ts'

/**
 * The two sides of one pod, secret by secret: the proxy's in their order, then what only the agent holds. Differences
 * of a live pod are unconfirmed until `confirm`.
 */
export function compareSecrets(evidence: GatheredEvidence): readonly SecretDiffRow[] {
  const {gathered} = evidence
  const isIdentity = (one: Held) => evidence.agent.dialect === 'ztunnel' && kindOf(one) !== 'bundle'
  const named = nameContexts(gathered.proxy.held, gathered.agent.held)
  const proxy = mentionWarming(named.filter((one) => !isIdentity(one)))
  const {pairs, agentOnly} = pairSecrets(splitBundles(gathered.agent.held, proxy), proxy)
  const roots = pairs.filter(({proxy, agent}) => agent === undefined && isMeshRoots(proxy)).map(({proxy}) => proxy)
  const rows = [
    ...pairs.flatMap(({proxy, agent}) => {
      if (agent !== undefined) return comparePair(agent, proxy)
      if (!roots.includes(proxy)) return onlyProxyRows(proxy, evidence, gathered)
      // Several bundles of mesh roots are one set: it is compared where the first of them stands.
      return proxy === roots[0] ? rootRows(roots, evidence, gathered) : []
    }),
    ...(evidence.agent.dialect === 'ztunnel' ? compareIdentities(named.filter(isIdentity), evidence, gathered) : []),
    ...agentOnly.flatMap((agent) => onlyAgentRows(agent, evidence, gathered)),
    ...gathered.proxy.loose.flatMap(looseRows),
  ]
  const chosen = rows.filter(({name}) => evidence.secretNames?.includes(name) ?? true)
  return evidence.reading === 'files' ? chosen.map((row) => ({...row, confirmed: true})) : chosen
}

function isMeshRoots(held: Held): boolean {
  return held.item.name === ROOT_SECRET && kindOf(held) !== 'chain' && kindOf(held) !== 'opaque'
}

/** The mesh's roots where no agent shows its own: against those published, if they are this proxy's source of trust. */
function rootRows(roots: readonly Held[], evidence: Evidence, gathered: Gathered): readonly SecretDiffRow[] {
  const {published} = gathered
  const waiting = roots.filter(isWaiting)
  const inUse = roots.filter((one) => !isWaiting(one))
  const waitingRows = waiting.map((one) => waitingRow(one))
  // A list that names everything this agent holds is better than a reference.
  if (completeFor(gathered.agent, ROOT_SECRET) !== undefined)
    return roots.flatMap((one) => onlyProxyRows(one, evidence, gathered))
  if (evidence.agent.trustSource !== 'istiod') return [...waitingRows, ...inUse.flatMap(otherTrustRows)]
  if (published === undefined || inUse.length === 0)
    return [...waitingRows, ...inUse.flatMap((one) => onlyProxyRows(one, evidence, gathered))]
  const leaf = gathered.proxy.held.find(({item}) => item.name === WORKLOAD_SECRET && item.certificates.length > 0)
  return [...waitingRows, ...comparePublished(inUse, {published, leaf, graceRatio: evidence.agent.graceRatio})]
}

function otherTrustRows(held: Held): readonly SecretDiffRow[] {
  return uncomparedRows(held, BY_DESIGN.otherTrustSource)
}

function looseRows(held: Held): readonly SecretDiffRow[] {
  return uncomparedRows(held, BY_DESIGN.onlyLoaded)
}

function uncomparedRows(held: Held, reason: string): readonly SecretDiffRow[] {
  const seen = {proxy: stateOf(held), proxySource: held.by.source, comparedBy: 'none'} as const
  return rowsOf(held).map((row) => diffRow(row, {...seen, result: 'NOT_COMPARABLE', reason}))
}

/** A secret that is in use and has a successor on its way is told by the one in use, with a word on the other. */
function mentionWarming(held: readonly Held[]): readonly Held[] {
  const inUse = new Set(held.filter((one) => !isWaiting(one)).map(({item}) => item.name))
  const warming = new Set(
    held.filter(({item}) => item.state === 'WARMING' && inUse.has(item.name)).map(({item}) => item.name),
  )
  return held
    .filter(({item}) => item.state !== 'WARMING' || !inUse.has(item.name))
    .map((one) =>
      warming.has(one.item.name)
        ? {...one, item: {...one.item, notes: [...one.item.notes, 'another one is warming']}}
        : one,
    )
}
