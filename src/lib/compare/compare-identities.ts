import type {IdentitiesExpected} from '../domain/mesh-seen.ts'
import {BY_DESIGN, NO_LONGER_NEEDED} from '../domain/rank.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import type {ProxyState} from '../domain/secret.ts'
import {diffRow, type Outcome} from './diff-row.ts'
import type {Evidence} from './evidence.ts'
import {completeFor, type Gathered} from './gather.ts'
import type {Held} from './held.ts'
import {stateOf} from './joined-row.ts'
import {secretRow} from './secret-row.ts'
import {whyUnseen} from './why-unseen.ts'

/**
 * ztunnel: the identities that it should hold certificates for (the agent side) against those that it holds (the
 * proxy side). It is its own agent, so presence is all there is to compare.
 */
export function compareIdentities(
  held: readonly Held[],
  evidence: Evidence,
  gathered: Gathered,
): readonly SecretDiffRow[] {
  const {expected} = gathered
  const names = new Set(expected?.identities)
  const needed = held.filter(({item}) => item.stateReason !== NO_LONGER_NEEDED || names.has(item.name))
  const inUse = new Set(needed.filter((one) => stateOf(one) === 'ACTIVE').map(({item}) => item.name))
  const outcomeOf = (one: Held): Outcome => {
    if (stateOf(one) !== 'ACTIVE' && inUse.has(one.item.name)) return notComparable(BY_DESIGN.alsoActive)
    return expected === undefined ? unexpecting(one, evidence, gathered) : expecting(one, names, expected)
  }
  const seen = new Set(needed.map(({item}) => item.name))
  return [
    ...needed.map((one) =>
      diffRow(secretRow(one), {...outcomeOf(one), proxy: stateOf(one), proxySource: one.by.source}),
    ),
    ...(expected === undefined
      ? []
      : expected.identities
          .filter((identity) => !seen.has(identity))
          .map((identity) => missingRow(identity, expected, evidence, gathered))),
  ]
}

const RESULTS = {
  ACTIVE: 'MATCH',
  STATIC: 'MATCH',
  WARMING: 'PROXY_WARMING',
  UNINITIALIZED: 'PROXY_WARMING',
  UNAVAILABLE: 'MISMATCH',
} as const satisfies Record<ProxyState, Outcome['result']>

function expecting(held: Held, names: ReadonlySet<string>, {by}: IdentitiesExpected): Outcome {
  const outcome = {reason: held.item.stateReason ?? '', agentSource: by.source, comparedBy: 'presence'} as const
  return names.has(held.item.name)
    ? {...outcome, agent: 'PRESENT', result: RESULTS[stateOf(held)]}
    : {...outcome, result: 'ONLY_PROXY'}
}

/** Where it is not known which identities are expected, only their states can be told. */
function unexpecting(held: Held, evidence: Evidence, gathered: Gathered): Outcome {
  const state = stateOf(held)
  if (state === 'WARMING') return {result: 'PROXY_WARMING', comparedBy: 'none'}
  if (state === 'UNAVAILABLE') return notComparable(held.item.stateReason ?? 'unavailable')
  return notComparable(whyUnseen('agent', held.item.name, evidence, gathered))
}

function missingRow(name: string, {by}: IdentitiesExpected, evidence: Evidence, gathered: Gathered): SecretDiffRow {
  const completeBy = completeFor(gathered.proxy, name)
  const item = {name, type: 'Cert Chain', certificates: [], keyFound: false, notes: []} as const
  const outcome: Outcome =
    completeBy === undefined
      ? notComparable(whyUnseen('proxy', name, evidence, gathered))
      : {result: 'ONLY_AGENT', proxySource: completeBy, comparedBy: 'presence'}
  return diffRow(secretRow({item, by, clockMs: evidence.nowMs}), {
    ...outcome,
    agent: 'PRESENT',
    agentSource: by.source,
  })
}

function notComparable(reason: string): Outcome {
  return {result: 'NOT_COMPARABLE', reason, comparedBy: 'none'}
}
