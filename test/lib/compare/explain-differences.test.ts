import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {explainDifferences} from '../../../src/lib/compare/explain-differences.ts'
import type {Certificate} from '../../../src/lib/domain/certificate.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Difference} from '../../../src/lib/domain/row.ts'
import {
  agentFilesHold,
  bundle,
  chain,
  evidence,
  expiryAt,
  leaf,
  nodeAgentHolds,
  proxyHolds,
  published,
  root,
} from './builders.ts'

function explain(observations: readonly Observation[]): readonly Difference[] {
  return explainDifferences(compareSecrets(evidence(observations)))
}

/** Serials of both sides: `46a2 against 46a1`. */
function told({name, reason, agent, proxy}: Difference): string {
  const serials = [agent, proxy].map((side) =>
    side === undefined
      ? 'nothing'
      : side.certificates.map((one) => (one.readable ? (one.serial ?? 'an expiry') : one.problem)).join('+'),
  )
  return `${name}: ${reason}: ${serials.join(' against ')}`
}

function pair(agent: Certificate, proxy: Certificate): readonly string[] {
  return explain([agentFilesHold([chain('default', [agent])]), proxyHolds([chain('default', [proxy])])]).map(told)
}

const hours = (from: string, to: string) => ({notBeforeMs: Date.parse(from), notAfterMs: Date.parse(to)})
const EARLIER = hours('2026-06-01T04:02:00Z', '2026-06-02T04:04:00Z')
const KEY = {type: 'EC', fingerprint: 'key-1'} as const

test.each<[string, Certificate, Certificate, string]>([
  ['the proxy is older', leaf('b'), leaf('a', EARLIER), 'proxy is stale by 1h58m'],
  ['the agent is older', leaf('a', EARLIER), leaf('b'), 'agent is stale by 1h58m'],
  [
    'the key was kept',
    leaf('b', {key: KEY}),
    leaf('a', {...EARLIER, key: KEY}),
    'proxy is stale by 1h58m, same key renewed',
  ],
  ['another CA signed', leaf('b', {issuer: 'O=new'}), leaf('a', EARLIER), "other issuer, the proxy's is 1h58m older"],
  [
    'it is of another trust domain',
    leaf('b', {spiffeIds: ['spiffe://other/ns/shop/sa/cart']}),
    leaf('a'),
    'other trust domain',
  ],
  ['the serial is the same', leaf('a', {fingerprint: 'x'}), leaf('a'), 'same serial, other certificate'],
])('where %s, the reason says it in full', (_, agent, proxy, reason) => {
  expect(pair(agent, proxy)).toEqual([`default: ${reason}: ${agent.serial} against ${proxy.serial}`])
})

test('an agent known by its expiry alone is compared by it', () => {
  const found = explain([expiryAt('2026-06-02T08:00:00Z'), proxyHolds([chain('default', [leaf('a', EARLIER)])])])

  expect(found.map(told)).toEqual(['default: proxy is stale by 3h56m: an expiry against a'])
})

test('a root that the proxy lacks stands against the one of its name, each once', () => {
  const [old, fresh] = [root('old', {subject: 'O=mesh'}), root('fresh', {subject: 'O=mesh'})]
  const stranger = root('stranger', {subject: 'O=stranger'})

  const found = explain([nodeAgentHolds([bundle('ROOTCA', [fresh])]), proxyHolds([bundle('ROOTCA', [old, stranger])])])

  expect(found.map(told)).toEqual([
    'ROOTCA: root missing at the agent: fresh against old',
    'ROOTCA: root missing at the agent: nothing against stranger',
  ])
})

test('a published root that is not taken up stands against the one that it follows', () => {
  const [old, fresh] = [root('old', {subject: 'O=mesh'}), root('fresh', {subject: 'O=mesh'})]

  const found = explain([proxyHolds([bundle('ROOTCA', [old])]), published(fresh)])

  expect(found.map(told)).toEqual(['ROOTCA: root missing at the proxy until its next renewal: fresh against old'])
})

test('chains that differ under one leaf are told with what follows it on each side', () => {
  const [middle, other] = ['middle', 'other'].map((id) => root(id, {selfSigned: false, position: 'intermediate'})) as [
    Certificate,
    Certificate,
  ]

  const found = explain([
    agentFilesHold([chain('default', [leaf('a'), middle])]),
    proxyHolds([chain('default', [leaf('a'), other])]),
  ])

  expect(found.map(told)).toEqual(['default: the rest of the chain differs: a+middle against a+other'])
})

test('what matches, waits or has no other side is no difference of two certificates', () => {
  const found = explain([
    nodeAgentHolds([chain('default', [leaf('a')]), chain('gone', [leaf('b')])]),
    proxyHolds([chain('default', [leaf('a')]), chain('alone', [leaf('c')])]),
  ])

  expect(found).toEqual([])
})

test('a root that stands against another one is told once, also where a side has several of the name', () => {
  const [old, fresh, newest] = ['old', 'fresh', 'newest'].map((id) => root(id, {subject: 'O=mesh'})) as [
    Certificate,
    Certificate,
    Certificate,
  ]

  const found = explain([nodeAgentHolds([bundle('ROOTCA', [fresh, newest])]), proxyHolds([bundle('ROOTCA', [old])])])

  expect(found.map(told)).toEqual([
    'ROOTCA: root missing at the agent: fresh against old',
    'ROOTCA: root missing at the proxy: newest against nothing',
  ])
})
