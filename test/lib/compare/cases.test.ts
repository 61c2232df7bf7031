import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import type {Evidence} from '../../../src/lib/compare/evidence.ts'
import {gatherEvidence, type GatheredEvidence} from '../../../src/lib/compare/gather.ts'
import {findFailures, findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import {decode} from '../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import type {Answer, AnswerPart} from '../../../src/lib/domain/answer.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Side, Source} from '../../../src/lib/domain/question.ts'
import {judgeDiff, judgeList} from '../../../src/lib/judge/judge-pod.ts'
import {AGENT, evidence, told} from './builders.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/compare')
const POD = {namespace: 'shop', name: 'cart-7d9f6c5b8-x2k4q'}
const GATEWAY = {namespace: 'istio-system', name: 'ingress-6cf-aaaaa'}
const SOURCES = {proxy: 'envoy-config-dump', agent: 'node-agent-debug'} as const
const ZTUNNEL = {agent: {...AGENT, dialect: 'ztunnel'}} as const

const certificates = createCertificateReader({maxEntries: 1000})

interface SavedAnswer {
  readonly file: string
  readonly source: Source
  readonly side: Side
  readonly status?: number
}

async function observe({file, source, side, status = 200}: SavedAnswer): Promise<readonly Observation[]> {
  const part: AnswerPart = {path: '/', status, receivedMs: 0, body: bytesOf(file)}
  const answer: Answer = {
    question: {
      source,
      side,
      container: 'istio-proxy',
      forms: [{type: 'http', port: 15_000, paths: ['/'], bindsToPod: false, refusals: []}],
      routes: ['file'],
      maxBytes: 1e9,
    },
    form: 0,
    route: 'file',
    parts: partsOf(part),
  }
  return await decode(answer, {certificates})
}

async function* partsOf(part: AnswerPart): AsyncGenerator<AnswerPart> {
  yield await Promise.resolve(part)
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(readFileSync(join(FIXTURES, file)))
}

/** The evidence of saved answers, each told by its side and its file. */
async function saved(
  answers: Partial<Record<Side, string>>,
  more: Partial<Evidence> & {readonly proxySource?: Source; readonly agentStatus?: number} = {},
): Promise<GatheredEvidence> {
  const {proxySource = SOURCES.proxy, agentStatus = 200, ...rest} = more
  const {agent, proxy} = answers
  const observations = [
    ...(agent === undefined
      ? []
      : await observe({file: agent, source: SOURCES.agent, side: 'agent', status: agentStatus})),
    ...(proxy === undefined ? [] : await observe({file: proxy, source: proxySource, side: 'proxy'})),
  ]
  return evidence(observations, {pod: POD, ...rest})
}

function verdictOf(it: GatheredEvidence): string {
  const {observations} = it
  return judgeDiff({rows: compareSecrets(it), gaps: findGaps(it), observations}).verdict
}

function states(it: GatheredEvidence): unknown[] {
  return compareSecrets(it).map(({name, state, status}) => [name.split('/').at(-1), state, status])
}

function both(folder: string): Promise<GatheredEvidence> {
  return saved({agent: `${folder}/agent.json`, proxy: `${folder}/proxy.json`})
}

function alone(folder: string, more: Partial<Evidence> = {}): Promise<GatheredEvidence> {
  return saved({proxy: `${folder}/proxy.json`}, {...(folder === 'gateway' && {pod: GATEWAY}), ...more})
}

test.each([
  [
    'update-refused',
    'fail',
    [
      'default | PRESENT | - | MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline> | fingerprint | 0a0b0c0d0e0f10111213141516171819',
      'default | - | ACTIVE | MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline> | fingerprint | 5c1d7e90a2b34455667788990a1b2c3d',
      'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 51a7c0de9b3344f0a1',
      'kubernetes://new-edge | - | WARMING | PROXY_WARMING: update refused at 2026-05-31T22:40:11.500Z: Failed to load private key from <inline>, Cause: error:0b000074:X.509 certificate routines:OPENSSL_internal:KEY_VALUES_MISMATCH | none | none',
    ],
  ],
  [
    'text-against-base64',
    'pass',
    [
      'default | PRESENT | ACTIVE | MATCH | fingerprint | 5c1d7e90a2b34455667788990a1b2c3d',
      'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 51a7c0de9b3344f0a1',
      'wrapped-base64 | PRESENT | ACTIVE | MATCH | fingerprint | 4bc0ffee00112233445566778899aabb',
    ],
  ],
  [
    'white-space',
    'pass',
    [
      'default | PRESENT | ACTIVE | MATCH | fingerprint | 2200bb02',
      'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 51a7c0de9b3344f0a1',
    ],
  ],
  [
    'proxy-stale',
    'fail',
    [
      'default | PRESENT | - | MISMATCH: proxy is stale | fingerprint | 46a2',
      'default | - | ACTIVE | MISMATCH: proxy is stale | fingerprint | 46a1',
      'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 51a7c0de9b3344f0a1',
    ],
  ],
  [
    'agent-stale',
    'fail',
    [
      'default | PRESENT | - | MISMATCH: agent is stale | fingerprint | 46a1',
      'default | - | ACTIVE | MISMATCH: agent is stale | fingerprint | 46a2',
    ],
  ],
  [
    'one-side-only',
    'fail',
    [
      'default | PRESENT | ACTIVE | MATCH | fingerprint | 5c1d7e90a2b34455667788990a1b2c3d',
      'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 51a7c0de9b3344f0a1',
      'kubernetes://edge | - | ACTIVE | ONLY_PROXY | presence | 4bc0ffee00112233445566778899aabb',
      'extra | PRESENT | WARMING | PROXY_WARMING | presence | 4bc0ffee00112233445566778899aabb',
    ],
  ],
])('both sides: %s', async (folder, verdict, rows) => {
  const it = await both(folder)

  expect(told(compareSecrets(it))).toEqual(rows)
  expect(verdictOf(it)).toBe(verdict)
})

test('the status of both certificates is told at the clock of the comparison', async () => {
  const rows = compareSecrets(await both('proxy-stale'))

  expect(rows.map(({status, secondsLeft}) => [status, secondsLeft])).toEqual([
    ['VALID', 18 * 3600 + 120],
    ['EXPIRED', -(3600 + 58 * 60)],
    ['VALID', 744_292_799],
  ])
})

test.each([
  ['null.json', 200, 'the agent lists no secrets of this pod'],
  ['no_clients.json', 200, 'the agent lists no secrets of this pod'],
  ['empty_strings.json', 200, 'no certificate'],
  ['500.txt', 500, expect.stringContaining('500')],
])('an agent that answers with no list is never a match: %s', async (file, agentStatus, reason) => {
  const it = await saved({agent: `empty-agent/${file}`, proxy: 'empty-agent/proxy.json'}, {agentStatus})

  const [row] = compareSecrets(it)
  expect(row).toMatchObject({name: 'default', proxy: 'ACTIVE', result: 'NOT_COMPARABLE', status: 'VALID', reason})
  expect(verdictOf(it)).toBe('unknown')
})

test.each(['configs_null', 'empty_object', 'empty_section', 'no_section', 'nulls'])(
  'a proxy without secrets lacks what its agent has: %s',
  async (file) => {
    const held = await saved({agent: 'proxy-stale/agent.json', proxy: `no-secrets/${file}.json`})
    const nothing = await saved({proxy: `no-secrets/${file}.json`})

    expect(compareSecrets(held).map(({name, result}) => [name, result])).toEqual([
      ['default', 'ONLY_AGENT'],
      ['ROOTCA', 'ONLY_AGENT'],
    ])
    expect(verdictOf(nothing)).toBe('unknown')
    expect(findFailures(nothing)).toMatchObject([{code: 'empty-answer'}])
  },
)

test('an answer of a neighbour on the same node is not attributed', async () => {
  const it = await alone('other-pod', {pod: {namespace: 'shop', name: 'host-b'}})

  expect(compareSecrets(it)).toEqual([])
  expect(findFailures(it)).toMatchObject([{code: 'wrong-pod', side: 'proxy'}])
  expect(verdictOf(it)).toBe('unknown')
})

test.each([
  ['warming-placeholders', 'fail'],
  ['listed-active-never-sent', 'fail'],
  ['generic-and-tickets', 'pass'],
  ['negative-serial', 'pass'],
  ['broken-certificates', 'fail'],
  ['many-roots', 'warn'],
  ['expired-root-beside-valid', 'warn'],
  ['not-yet-valid', 'fail'],
  ['no-san', 'pass'],
  ['far-dates', 'fail'],
  ['chain-with-intermediates', 'fail'],
  ['gateway', 'fail'],
])('the proxy alone: %s is judged %s', async (folder, verdict) => {
  const it = await alone(folder)
  const list = judgeList({rows: listSecrets(it), gaps: findGaps(it), observations: it.observations})

  expect(verdictOf(it)).toBe(verdict)
  // A list reads once, and a proxy that starts waits for a while: that alone is a warning there.
  expect(list.verdict).toBe(folder === 'warming-placeholders' ? 'warn' : verdict)
})

test('with only an expired root left, a bundle is not valid', async () => {
  expect(verdictOf(await saved({proxy: 'expired-root-beside-valid/only-expired.json'}))).toBe('fail')
})

test('a bundle of 121 blocks is 121 rows, one of them repeated and one expired', async () => {
  const rows = compareSecrets(await alone('many-roots')).filter(({name}) => name === 'ROOTCA')

  expect(rows).toHaveLength(121)
  expect(rows.filter(({notes}) => notes.includes('repeated in the bundle'))).toMatchObject([
    {certificate: {serial: '32000003'}},
  ])
  expect(rows.filter(({status}) => status === 'EXPIRED')).toMatchObject([
    {certificate: {serial: '32000039'}, besideValid: true},
  ])
})

test('secrets of one name keep their places', async () => {
  const rows = listSecrets(await alone('odd-names'))

  expect(rows).toHaveLength(18)
  expect([rows.at(0), rows.at(-1)]).toMatchObject([
    {name: 'default', certificate: {serial: '5c1d7e90a2b34455667788990a1b2c3d'}},
    {name: 'default', certificate: {serial: '4bc0ffee00112233445566778899aabb'}},
  ])
})

test.each([
  ['2026-06-01T00:00:00Z', 'NOT_YET_VALID', ['starts in 20 s: do the clocks differ?']],
  ['2026-06-01T00:00:19Z', 'NOT_YET_VALID', ['starts in 1 s: do the clocks differ?']],
  ['2026-06-01T00:00:20Z', 'VALID', []],
  ['2026-06-02T00:00:20Z', 'VALID', []],
  ['2026-06-02T00:00:21Z', 'EXPIRED', []],
])('edge seconds belong to the certificate: at %s it is %s', async (now, status, notes) => {
  const rows = compareSecrets(await alone('clock-skew', {nowMs: Date.parse(now)}))

  expect(rows.find(({name}) => name === 'default')).toMatchObject({status, notes})
})

test('by the clock of the proxy a certificate may have begun, and that the clocks differ is told', async () => {
  const it = await alone('clock-skew', {nowMs: Date.parse('2026-06-01T00:00:00Z')})
  const observations = it.observations.map((one) =>
    one.type === 'secrets' ? {...one, by: {...one.by, skewMs: 25_000}} : one,
  )
  const rows = compareSecrets(gatherEvidence({...it, observations}))

  expect(rows.find(({name}) => name === 'default')).toMatchObject({status: 'VALID'})
  expect(judgeDiff({rows, gaps: [], observations}).findings).toMatchObject([
    {rule: 'clock-skew', message: 'the clock behind envoy-config-dump is 25 s ahead of ours'},
  ])
})

test('each secret of a gateway is judged by itself', async () => {
  const rows = compareSecrets(await alone('gateway'))

  expect(rows.map(({name, proxy, status, result}) => [name, proxy, status, result])).toEqual([
    ['default', 'ACTIVE', 'VALID', 'NOT_COMPARABLE'],
    ['ROOTCA', 'ACTIVE', 'VALID', 'NOT_COMPARABLE'],
    ['kubernetes://shop-tls', 'ACTIVE', 'VALID', 'NOT_COMPARABLE'],
    ['kubernetes://old-tls', 'ACTIVE', 'EXPIRED', 'NOT_COMPARABLE'],
    ['kubernetes://shop-tls-cacert', 'ACTIVE', 'VALID', 'NOT_COMPARABLE'],
    ['kubernetes://new-tls', 'WARMING', 'EMPTY', 'PROXY_WARMING'],
  ])
})

test('serials with a leading zero are the same number at the TLS contexts', async () => {
  const dump = await alone('leading-zero-serial')
  const certs = await saved({proxy: 'leading-zero-serial/certs.json'}, {proxySource: 'envoy-certs'})
  const agent = dump.observations.map((one) =>
    one.type === 'secrets'
      ? {...one, side: 'agent' as const, by: {source: 'agent-files', route: 'exec'} as const, complete: false}
      : one,
  )

  const [row] = compareSecrets(gatherEvidence({...certs, observations: [...agent, ...certs.observations]}))

  expect(row).toMatchObject({name: 'default', result: 'MATCH', comparedBy: 'serial', proxySource: 'envoy-certs'})
})

test('a ztunnel tells the state of each identity, and what it was denied', async () => {
  const ztunnel = {...ZTUNNEL, proxySource: 'ztunnel-config-dump'} as const
  const placeholders = await saved({proxy: 'ztunnel-placeholders/proxy.json'}, ztunnel)
  const unavailable = await saved({proxy: 'ztunnel-unavailable/proxy.json'}, ztunnel)
  const empty = await saved({proxy: 'ztunnel-unavailable/empty.json'}, ztunnel)

  expect(states(placeholders)).toEqual(
    expect.arrayContaining([
      ['stock', 'WARMING', 'EMPTY'],
      ['bill', 'UNAVAILABLE', 'EMPTY'],
      ['cart', 'ACTIVE', 'VALID'],
    ]),
  )
  expect(states(unavailable)).toEqual([
    ['stock', 'UNAVAILABLE', 'EMPTY'],
    ['cart', 'ACTIVE', 'VALID'],
    ['cart', 'WARMING', 'EMPTY'],
  ])
  expect(compareSecrets(unavailable)[0]?.reason).toContain('istiod.istio-system.svc:15012":\n\ttls: <bad & expired>')
  expect([placeholders, unavailable, empty].map(verdictOf)).toEqual(['fail', 'fail', 'unknown'])
})

test.each(['new', 'old', 'old_plain_pem'])('a ztunnel chain is one row whatever the format: %s', async (file) => {
  const it = await saved({proxy: `ztunnel-formats/${file}.json`}, {...ZTUNNEL, proxySource: 'ztunnel-config-dump'})

  const rows = compareSecrets(it)

  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({certificate: {serial: '2200bb02'}, state: 'ACTIVE', status: 'VALID'})
  expect(rows[0]?.chain[0]).toMatchObject({
    certificate: {serial: '2200aa01', position: 'intermediate'},
    status: 'VALID',
  })
})
