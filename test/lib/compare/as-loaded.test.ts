import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {confirm} from '../../../src/lib/compare/confirm.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import type {Certificate} from '../../../src/lib/domain/certificate.ts'
import type {SecretsSeen} from '../../../src/lib/domain/observation.ts'
import {rowSeverity} from '../../../src/lib/domain/rank.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {agentFilesHold, chain, evidence, expiryAt, leaf, proxyHolds, told} from './builders.ts'

const REASON =
  'update refused: what begins at 2026-06-01T06:00:00Z is shown as active, and no TLS context has loaded it'
const BEFORE = leaf('a1', {
  notBeforeMs: Date.parse('2026-05-31T12:00:00Z'),
  notAfterMs: Date.parse('2026-06-01T12:02:00Z'),
})
const PUSHED = leaf('a2')

/** What Envoy shows of a certificate that it has refused: with the time of the one before. */
function shown(lastUpdated = '2026-05-31T12:02:00.433Z', more: Partial<SecretItem> = {}): SecretsSeen {
  return proxyHolds([chain('default', [PUSHED], {lastUpdated, ...more})])
}

/** `/certs`: no fingerprint, no names but the alternative ones. */
function loaded(...certificates: readonly Certificate[]): SecretsSeen {
  const items = certificates.map((certificate) => {
    const {fingerprint: _, ...known} = certificate
    return chain('<inline>', [{...known, issuer: ''}])
  })
  return proxyHolds(items, {by: {source: 'envoy-certs', route: 'port-forward'}, complete: false})
}

const agent = agentFilesHold([chain('default', [PUSHED])])

test('a certificate that the proxy shows and has refused is compared as the one that it goes on with', () => {
  const rows = compareSecrets(evidence([agent, shown(), loaded(BEFORE)]))

  expect(told(rows)).toEqual([
    `default | PRESENT | - | MISMATCH: ${REASON} | serial | a2`,
    `default | - | ACTIVE | MISMATCH: ${REASON} | serial | a1`,
  ])
  expect(rows[1]).toMatchObject({contexts: {loaded: true, others: []}, rejected: {details: expect.any(String)}})
  expect(rows.map(rowSeverity)).toEqual(['fail', 'fail'])
})

test('it is known by the end alone, too, where that is all that the agent tells', () => {
  const rows = compareSecrets(evidence([expiryAt('2026-06-02T06:02:00Z'), shown(), loaded(BEFORE)]))

  expect(rows.map(({result, comparedBy}) => `${result} ${comparedBy}`)).toEqual(['MISMATCH expiry', 'MISMATCH expiry'])
})

test('it fails where no agent tells what it should be, and in a list', () => {
  const seen = evidence([shown(), loaded(BEFORE)])

  expect(compareSecrets(seen).map((row) => [row.result, rowSeverity(row)])).toEqual([['NOT_COMPARABLE', 'fail']])
  expect(listSecrets(seen).map((row) => [row.certificate?.serial, rowSeverity(row)])).toEqual([['a1', 'fail']])
})

test('of a live pod it counts once it stood at both readings', () => {
  const reading = () => compareSecrets(evidence([agent, shown(), loaded(BEFORE)], {reading: 'live'}))
  const taken = compareSecrets(evidence([agent, shown('2026-06-01T06:02:00Z'), loaded(PUSHED)], {reading: 'live'}))

  expect(reading().map(({confirmed}) => confirmed)).toEqual([false, false])
  expect(confirm(reading(), reading()).map(({confirmed}) => confirmed)).toEqual([true, true])
  expect(confirm(reading(), taken).map(({result}) => result)).toEqual(['MATCH'])
})

test.each<[string, SecretsSeen, SecretsSeen, string]>([
  ['it is loaded after all', shown(), loaded(PUSHED, BEFORE), 'ok'],
  ['it arrived after it began', shown('2026-06-01T06:02:00Z'), loaded(BEFORE), 'warn'],
  ['contexts have one that came later', shown(), loaded(BEFORE, leaf('a3')), 'warn'],
  ['no context has one of its names', shown(), loaded(leaf('e1', {sans: ['DNS:edge.example'], spiffeIds: []})), 'ok'],
  ['the time is none', shown('never'), loaded(BEFORE), 'warn'],
])('nothing is refused where %s', (_what, dump, contexts, severity) => {
  const rows = compareSecrets(evidence([agent, dump, contexts]))

  expect(rows[0]).toMatchObject({result: 'MATCH', certificate: {serial: 'a2'}})
  expect(rows[0]?.rejected).toBeUndefined()
  expect(rowSeverity(rows[0]!)).toBe(severity)
})

test('of several that contexts go on with, the latest stands for the secret', () => {
  const older = leaf('a0', {notBeforeMs: Date.parse('2026-05-30T12:00:00Z')})

  const rows = compareSecrets(evidence([agent, shown(), loaded(older, BEFORE)]))

  expect(rows[1]).toMatchObject({certificate: {serial: 'a1'}, contexts: {others: [{serial: 'a0'}]}})
})

test('what the proxy itself says of a refusal stands', () => {
  const rows = compareSecrets(evidence([agent, shown(undefined, {rejected: {details: 'bad key'}}), loaded(BEFORE)]))

  expect(rows).toMatchObject([{result: 'MATCH', certificate: {serial: 'a2'}, rejected: {details: 'bad key'}}])
})
