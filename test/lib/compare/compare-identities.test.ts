import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {AGENT, bare, bundle, chain, evidence, identitiesExpected, leaf, proxyHolds, root, told} from './builders.ts'

const ID = 'spiffe://mesh.example/ns/shop/sa'
const REASON = 'signing gRPC error: "istiod.istio-system.svc:15012":\n\ttls: <bad & expired>'
const ZTUNNEL = {agent: {...AGENT, kind: 'istio-ztunnel', dialect: 'ztunnel'}} as const

function holds(...items: readonly SecretItem[]): Observation {
  return proxyHolds(items, {by: {source: 'ztunnel-config-dump', route: 'port-forward'}})
}

function unavailable(sa: string, stateReason: string): SecretItem {
  return bare(`${ID}/${sa}`, {type: 'Cert Chain', state: 'UNAVAILABLE', stateReason})
}

function compared(...observations: readonly Observation[]): string[] {
  return told(compareSecrets(evidence(observations, ZTUNNEL)))
}

test('identities that are expected are held against the certificates that are there', () => {
  const rows = compared(
    identitiesExpected(`${ID}/cart`, `${ID}/stock`, `${ID}/bill`, `${ID}/mail`),
    holds(
      chain(`${ID}/cart`, [leaf('c')]),
      bare(`${ID}/stock`, {state: 'WARMING'}),
      unavailable('bill', REASON),
      chain(`${ID}/left`, [leaf('l')]),
    ),
  )

  expect(rows).toEqual([
    `${ID}/cart | PRESENT | ACTIVE | MATCH | presence | c`,
    `${ID}/stock | PRESENT | WARMING | PROXY_WARMING | presence | none`,
    `${ID}/bill | PRESENT | UNAVAILABLE | MISMATCH: ${REASON} | presence | none`,
    `${ID}/left | - | ACTIVE | ONLY_PROXY | presence | l`,
    `${ID}/mail | PRESENT | - | ONLY_AGENT | presence | none`,
  ])
})

test('where nothing says what is expected, states are told and nothing is compared', () => {
  const rows = compared(
    holds(
      unavailable('stock', REASON),
      unavailable('gone', 'the identity is no longer needed'),
      chain(`${ID}/cart`, [leaf('c')]),
      bare(`${ID}/cart`, {state: 'WARMING'}),
      bare(`${ID}/new`, {state: 'WARMING'}),
    ),
  )

  expect(rows).toEqual([
    `${ID}/stock | - | UNAVAILABLE | NOT_COMPARABLE: ${REASON} | none | none`,
    `${ID}/cart | - | ACTIVE | NOT_COMPARABLE: no source | none | c`,
    `${ID}/cart | - | WARMING | NOT_COMPARABLE: also held as ACTIVE | none | none`,
    `${ID}/new | - | WARMING | PROXY_WARMING | none | none`,
  ])
})

test('an identity that is dropped though it is expected is told', () => {
  const rows = compared(
    identitiesExpected(`${ID}/gone`),
    holds(unavailable('gone', 'the identity is no longer needed')),
  )

  expect(rows).toEqual([
    `${ID}/gone | PRESENT | UNAVAILABLE | MISMATCH: the identity is no longer needed | presence | none`,
  ])
})

test('an identity is missing only where the list is whole', () => {
  const cut = proxyHolds([], {by: {source: 'ztunnel-config-dump', route: 'port-forward'}, complete: false})

  expect(compared(identitiesExpected(`${ID}/cart`), cut)).toEqual([
    `${ID}/cart | PRESENT | - | NOT_COMPARABLE: no source | none | none`,
  ])
})

test('roots of a ztunnel are no identities', () => {
  expect(compared(identitiesExpected(), holds(bundle('ROOTCA', [root('r')])))).toEqual([
    'ROOTCA | - | ACTIVE | NOT_COMPARABLE: no source | none | r',
  ])
})
