import {expect, test} from '@jest/globals'
import {collectNotes} from '../../../src/lib/compare/collect-notes.ts'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import type {IdentitiesExpected} from '../../../src/lib/domain/mesh-seen.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {AGENT, bare, chain, evidence, failureOf, identitiesExpected, leaf, proxyHolds, told} from './builders.ts'

const ID = 'spiffe://mesh.example/ns/shop/sa'
const CAPTURED = {agent: {...AGENT, kind: 'istio-ambient', dialect: 'ztunnel', capturedAs: 'cart'}} as const

function holds(...items: readonly SecretItem[]): Observation {
  const notes = [`${ID}/gone is no longer needed`]
  return proxyHolds(items, {by: {source: 'ztunnel-config-dump', route: 'port-forward'}, notes})
}

function serving(...workloads: IdentitiesExpected['workloads']): IdentitiesExpected {
  return {...identitiesExpected(...workloads.map(({identity}) => identity)), workloads}
}

function compared(...observations: readonly Observation[]): string[] {
  return told(compareSecrets(evidence(observations, CAPTURED)))
}

const OURS = {namespace: 'shop', name: 'cart-1', identity: `${ID}/cart`}
const OTHER = {namespace: 'shop', name: 'stock-1', identity: `${ID}/stock`}

test.each<[string, SecretItem, string]>([
  ['held', chain(`${ID}/cart`, [leaf('c')]), 'ACTIVE | MATCH | presence | c'],
  ['on its way', bare(`${ID}/cart`, {state: 'WARMING'}), 'WARMING | PROXY_WARMING | presence | none'],
  [
    'refused',
    bare(`${ID}/cart`, {state: 'UNAVAILABLE', stateReason: 'CA said no'}),
    'UNAVAILABLE | MISMATCH: CA said no | presence | none',
  ],
])('of all that the ztunnel of its node holds, a captured pod’s row is its own identity: %s', (_name, item, told) => {
  const rows = compared(serving(OTHER, OURS), holds(chain(`${ID}/stock`, [leaf('s')]), item))

  expect(rows).toEqual([`${ID}/cart | PRESENT | ${told}`])
})

test('a ztunnel that lacks the identity of a pod that it serves lets that pod down', () => {
  const rows = compared(serving(OTHER, OURS), holds(chain(`${ID}/stock`, [leaf('s')])))

  expect(rows).toEqual([`${ID}/cart | PRESENT | - | ONLY_AGENT | presence | none`])
})

test.each<[string, readonly Observation[], string]>([
  ['does not list the pod: as its service account in the trust domain of the others', [serving(OTHER)], `${ID}/cart`],
  ['is too old to list pods: in the trust domain of what it holds', [], `${ID}/cart`],
])('a ztunnel that %s', (_name, listed, identity) => {
  const rows = compared(...listed, holds(chain(`${ID}/cart`, [leaf('c')]), chain(`${ID}/stock`, [leaf('s')])))

  expect(rows).toEqual([`${identity} | PRESENT | ACTIVE | MATCH | presence | c`])
})

test('notes on the other pods of a node are not the pod’s; that it is not listed is', () => {
  const held = holds(chain(`${ID}/cart`, [leaf('c')]))

  expect(collectNotes(evidence([serving(OURS), held], CAPTURED))).toEqual([])
  expect(collectNotes(evidence([serving(OTHER), held], CAPTURED))).toEqual([
    'the ztunnel of its node does not list this pod',
  ])
})

test('a list of its secrets is that one certificate', () => {
  const held = holds(chain(`${ID}/cart`, [leaf('c')]), chain(`${ID}/stock`, [leaf('s')]))

  const rows = listSecrets(evidence([serving(OURS, OTHER), held], CAPTURED))

  expect(rows.map(({name, side}) => [name, side])).toEqual([[`${ID}/cart`, 'proxy']])
})

test('a ztunnel that cannot be read is the pod’s failure, and no row is made up', () => {
  const failure = failureOf('ztunnel-config-dump', {side: 'proxy'})

  const all = evidence([], {...CAPTURED, failures: [failure]})

  expect(compareSecrets(all)).toEqual([])
  expect(findGaps(all)).toEqual([failure])
})
