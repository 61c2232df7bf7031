import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {confirm, needsSecondReading} from '../../../src/lib/compare/confirm.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {SecretDiffRow} from '../../../src/lib/domain/row.ts'
import {
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  expiryAt,
  failureOf,
  leaf,
  proxyHolds,
  root,
  told,
} from './builders.ts'

const [A, B, C] = [leaf('a'), leaf('b'), leaf('c')]

function read(...observations: readonly Observation[]): readonly SecretDiffRow[] {
  return compareSecrets(evidence(observations, {reading: 'live'}))
}

function sides(agent: typeof A, proxy: typeof A): readonly SecretDiffRow[] {
  return read(agentFilesHold([chain('default', [agent])]), proxyHolds([chain('default', [proxy])]))
}

test('only differences need a second reading', () => {
  expect(needsSecondReading(sides(A, A))).toBe(false)
  expect(needsSecondReading(read(proxyHolds([chain('kubernetes://edge', [A])])))).toBe(false)
  expect(needsSecondReading(sides(A, B))).toBe(true)
})

test('a difference is confirmed where the same pair stands both times', () => {
  const rows = confirm(sides(B, A), sides(B, A))

  expect(rows.map(({result, confirmed}) => [result, confirmed])).toEqual([
    ['MISMATCH', true],
    ['MISMATCH', true],
  ])
})

test.each([
  ['the proxy took up another one', sides(B, C)],
  ['the agent renewed again', sides(C, A)],
])('neither half of a pair is confirmed where %s', (_, second) => {
  const rows = confirm(sides(B, A), second)

  expect(rows.map(({result, confirmed}) => [result, confirmed])).toEqual([
    ['MISMATCH', false],
    ['MISMATCH', false],
  ])
})

test('a second reading that matches wins', () => {
  expect(told(confirm(sides(B, A), sides(B, B)))).toEqual(['default | PRESENT | ACTIVE | MATCH | fingerprint | b'])
})

test('an expiry may be counted a second differently the second time', () => {
  const proxy = proxyHolds([chain('default', [A])])
  const first = read(expiryAt(A.notAfterMs + 60_000), proxy)

  const near = confirm(first, read(expiryAt(A.notAfterMs + 61_000), proxy))
  const far = confirm(first, read(expiryAt(A.notAfterMs + 90_000), proxy))

  expect(near.every(({confirmed}) => confirmed)).toBe(true)
  expect(far.some(({confirmed}) => confirmed)).toBe(false)
})

test('what matched the first time is not put in doubt by the second', () => {
  const roots = agentFilesHold([chain('default', [A]), bundle('ROOTCA', [root('1')])])
  const first = read(roots, proxyHolds([chain('default', [A]), bundle('ROOTCA', [root('2')])]))
  const second = read(roots, proxyHolds([chain('default', [B]), bundle('ROOTCA', [root('2')])]))

  const rows = confirm(first, second)

  expect(told(rows)).toEqual([
    'default | PRESENT | ACTIVE | MATCH | fingerprint | a',
    'ROOTCA | - | ACTIVE | MISMATCH: root missing at the agent | fingerprint | 2',
    'ROOTCA | PRESENT | - | MISMATCH: root missing at the proxy | fingerprint | 1',
  ])
  expect(rows.every(({confirmed}) => confirmed)).toBe(true)
})

test('roots are confirmed one by one', () => {
  const agent = agentFilesHold([bundle('ROOTCA', [root('1'), root('2')])])
  const first = read(agent, proxyHolds([bundle('ROOTCA', [])]))
  const second = read(agent, proxyHolds([bundle('ROOTCA', [root('2')])]))

  expect(confirm(first, second).map(({result, confirmed}) => [result, confirmed])).toEqual([
    ['MATCH', true],
    ['MISMATCH', true],
  ])
})

test('a second reading that failed leaves the first, unconfirmed', () => {
  const agent = agentFilesHold([chain('default', [B])])
  const first = read(agent, proxyHolds([chain('default', [A]), bare('x', {state: 'WARMING'})]))
  const failures = [failureOf('envoy-config-dump')]
  const second = compareSecrets(evidence([agent], {reading: 'live', failures}))

  const rows = confirm(first, second, failures)

  expect(rows).toEqual(first)
  expect(needsSecondReading(rows)).toBe(true)
})

test('a secret that is gone the second time is no difference any more', () => {
  const first = read(proxyHolds([bare('x', {state: 'WARMING'})]))

  expect(confirm(first, read(proxyHolds([])))).toEqual([])
})
