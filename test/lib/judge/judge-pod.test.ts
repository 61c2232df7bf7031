import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import type {GatheredEvidence} from '../../../src/lib/compare/gather.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import {rowSeverity} from '../../../src/lib/domain/rank.ts'
import {judgeDiff, judgeList, type Judgement} from '../../../src/lib/judge/judge-pod.ts'
import {
  AGENT,
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  EXPIRED,
  expiryAt,
  failureOf,
  identitiesExpected,
  leaf,
  nodeAgentHolds,
  NOW,
  proxyHolds,
  published,
  root,
} from '../compare/builders.ts'

const A = leaf('a')
const EXPIRY = expiryAt(A.notAfterMs)
const DEFAULT = chain('default', [A])
const ROOTS = bundle('ROOTCA', [root('1')])
const BROKEN = {readable: false, problem: 'certificate cut off', position: 'leaf'} as const

function diff(observations: readonly Observation[], more: Partial<GatheredEvidence> = {}): Judgement {
  const it = evidence(observations, more)
  return judgeDiff({rows: compareSecrets(it), gaps: findGaps(it), observations})
}

function list(observations: readonly Observation[], more: Partial<GatheredEvidence> = {}): Judgement {
  const it = evidence(observations, more)
  return judgeList({rows: listSecrets(it), gaps: findGaps(it), observations})
}

function rules({findings}: Judgement): string[] {
  return findings.map(({rule, severity}) => `${severity} ${rule}`)
}

test('a pod whose proxy holds what its agent has passes', () => {
  expect(diff([EXPIRY, published(root('1')), proxyHolds([DEFAULT, ROOTS])])).toEqual({
    verdict: 'pass',
    incomplete: false,
    findings: [],
  })
})

test.each<[string, readonly Observation[], string]>([
  [
    'a stale proxy',
    [agentFilesHold([chain('default', [leaf('b', {notBeforeMs: NOW - 60_000})])]), proxyHolds([DEFAULT])],
    'fail proxy-stale',
  ],
  ['a stale agent', [expiryAt(A.notAfterMs - 60_000), proxyHolds([DEFAULT])], 'fail agent-stale'],
  ['a secret that only the agent holds', [EXPIRY, proxyHolds([])], 'fail secret-missing'],
  [
    'a secret that only the proxy holds',
    [nodeAgentHolds([DEFAULT]), proxyHolds([DEFAULT, chain('x', [A])])],
    'fail secret-missing',
  ],
  ['a secret that warms', [EXPIRY, proxyHolds([bare('default', {state: 'WARMING'})])], 'fail secret-warming'],
  [
    'a secret that was never taken up',
    [proxyHolds([bare('default', {state: 'UNINITIALIZED'})])],
    'fail secret-uninitialized',
  ],
  [
    'a root that one side lacks',
    [agentFilesHold([bundle('ROOTCA', [root('2'), root('1')])]), proxyHolds([ROOTS])],
    'fail root-missing',
  ],
  ['an expired leaf', [proxyHolds([chain('default', [leaf('a', EXPIRED)])])], 'fail cert-expired'],
  [
    'a leaf that is not valid yet',
    [proxyHolds([chain('default', [leaf('a', {notBeforeMs: 4e12, notAfterMs: 5e12})])])],
    'fail cert-not-yet-valid',
  ],
  ['a leaf that cannot be read', [proxyHolds([chain('default', [BROKEN])])], 'fail cert-unreadable'],
  [
    'a chain in use without a certificate',
    [proxyHolds([bare('default', {type: 'Cert Chain'})])],
    'fail cert-unreadable',
  ],
  [
    'an expired intermediate',
    [proxyHolds([chain('default', [A, root('i', {...EXPIRED, position: 'intermediate'})])])],
    'fail cert-expired',
  ],
  [
    'an unreadable second block',
    [proxyHolds([chain('default', [A, {...BROKEN, position: 'intermediate'}])])],
    'fail cert-unreadable',
  ],
  ['a bundle with no valid root', [proxyHolds([bundle('ROOTCA', [root('1', EXPIRED)])])], 'fail cert-expired'],
  [
    'a key where a certificate belongs',
    [proxyHolds([chain('default', [A], {keyFound: true})])],
    'fail key-in-certificate',
  ],
  ['an update that was refused', [proxyHolds([chain('x', [A], {rejected: {details: 'bad'}})])], 'fail secret-rejected'],
])('%s fails', (_, observations, rule) => {
  const judgement = diff(observations)

  expect(judgement).toMatchObject({verdict: 'fail', incomplete: false})
  expect(rules(judgement)).toEqual([rule])
})

test.each<[string, readonly Observation[], string]>([
  [
    'an expired root beside a valid one',
    [proxyHolds([bundle('ROOTCA', [root('x', EXPIRED), root('1')])])],
    'warn cert-expired',
  ],
  [
    'an unreadable root beside a valid one',
    [proxyHolds([bundle('ROOTCA', [BROKEN, root('1')])])],
    'warn cert-unreadable',
  ],
  [
    'an expired root that a chain carries along',
    [proxyHolds([chain('default', [A, root('x', EXPIRED)])])],
    'warn cert-expired',
  ],
  [
    'a root that comes with the next renewal',
    [published(root('1'), root('2')), proxyHolds([DEFAULT, ROOTS])],
    'warn root-missing',
  ],
  [
    'a refused update where both sides are the same now',
    [EXPIRY, proxyHolds([chain('default', [A], {rejected: {details: 'bad'}})])],
    'warn secret-rejected',
  ],
  [
    'a clock that is off',
    [EXPIRY, proxyHolds([DEFAULT], {by: {source: 'envoy-config-dump', route: 'file', skewMs: -5001}})],
    'warn clock-skew',
  ],
  [
    'a root that cannot be read beside one that matches',
    [agentFilesHold([ROOTS]), proxyHolds([bundle('ROOTCA', [BROKEN, root('1')])])],
    'warn cert-unreadable',
  ],
  [
    'an identity denied again that is held all the same',
    [
      proxyHolds([
        chain('spiffe://a/b', [A]),
        bare('spiffe://a/b', {type: 'Cert Chain', state: 'UNAVAILABLE', stateReason: 'no'}),
      ]),
    ],
    'warn secret-unavailable',
  ],
  [
    'a validation context without a CA',
    [EXPIRY, proxyHolds([DEFAULT, bare('x', {type: 'CA'})])],
    'warn cert-unreadable',
  ],
])('%s is a warning', (name, observations, rule) => {
  const judgement = diff(observations, name.startsWith('an identity') ? {agent: {...AGENT, dialect: 'ztunnel'}} : {})

  expect(judgement).toMatchObject({verdict: 'warn', incomplete: false})
  expect(rules(judgement)).toEqual([rule])
})

test.each<[string, readonly Observation[], Partial<GatheredEvidence>]>([
  ['secrets without a source for the other side', [proxyHolds([DEFAULT, chain('kubernetes://edge', [A])])], {}],
  ['roots from elsewhere', [proxyHolds([ROOTS])], {agent: {...AGENT, trustSource: 'mounted files'}}],
  ['what warms by design', [EXPIRY, proxyHolds([DEFAULT, bare('invalid://', {state: 'WARMING'})])], {}],
  ['an agent without a proxy', [agentFilesHold([DEFAULT])], {agent: {...AGENT, dialect: 'none'}}],
  [
    'a source that failed where another one spoke',
    [agentFilesHold([DEFAULT]), proxyHolds([DEFAULT])],
    {failures: [failureOf('agent-metrics')]},
  ],
  ['an agent that was left out', [proxyHolds([DEFAULT])], {asked: {sources: [], excluded: ['agent-metrics']}}],
  ['generic secrets', [proxyHolds([{...bare('k', {type: 'Generic', parts: 1})}, DEFAULT])], {}],
])('%s: no effect on the verdict', (_, observations, more) => {
  expect(diff(observations, more)).toEqual({verdict: 'pass', incomplete: false, findings: []})
})

test.each<[string, readonly Observation[], Partial<GatheredEvidence>]>([
  ['neither side', [], {failures: [failureOf(undefined, {code: 'pod-gone'})]}],
  ['not the proxy', [EXPIRY], {failures: [failureOf('envoy-config-dump')]}],
  ['not the agent', [proxyHolds([DEFAULT])], {failures: [failureOf('agent-metrics')]}],
  ['no secret at all', [proxyHolds([])], {}],
  ['an agent that lists nothing', [nodeAgentHolds([]), proxyHolds([DEFAULT])], {}],
  ['an agent whose certificates are empty', [nodeAgentHolds([bare('default', {})]), proxyHolds([DEFAULT])], {}],
])('a pod of which nothing could be compared is unknown: %s', (_, observations, more) => {
  expect(diff(observations, more)).toMatchObject({verdict: 'unknown', incomplete: true})
})

test('what is incomplete is no pass, though some of it matched', () => {
  const judgement = diff([published(root('1')), proxyHolds([DEFAULT, ROOTS])], {failures: [failureOf('agent-metrics')]})

  expect(judgement).toMatchObject({verdict: 'unknown', incomplete: true})
})

test('what is known to be bad stays bad where the rest is missing', () => {
  const failures = [failureOf('agent-metrics')]

  expect(diff([proxyHolds([chain('default', [leaf('a', EXPIRED)])])], {failures})).toMatchObject({
    verdict: 'fail',
    incomplete: true,
  })
  expect(
    diff([published(root('1')), proxyHolds([DEFAULT, bundle('ROOTCA', [root('1'), root('x', EXPIRED)])])], {failures}),
  ).toMatchObject({
    verdict: 'warn',
    incomplete: true,
  })
})

test('where nothing was seen a warning does not hide it, and a clock is told once', () => {
  const by = {source: 'agent-metrics', route: 'file', skewMs: 90_000} as const
  const observations = [expiryAt(A.notAfterMs, {by}), expiryAt(A.notAfterMs, {by, name: 'other'})]

  const judgement = diff(observations, {failures: [failureOf('envoy-config-dump')]})

  expect(judgement).toMatchObject({verdict: 'unknown', incomplete: true})
  expect(rules(judgement)).toEqual(['warn clock-skew'])
})

test('a difference that was not confirmed is unknown, and no finding', () => {
  const observations = [agentFilesHold([chain('default', [leaf('b')])]), proxyHolds([DEFAULT])]

  expect(diff(observations, {reading: 'live'})).toEqual({verdict: 'unknown', incomplete: true, findings: []})
})

test('a skipped pod is neither good nor bad', () => {
  const skip = {code: 'finished', message: 'It has run to its end'} as const

  expect(judgeDiff({rows: [], gaps: [failureOf('agent-metrics')], observations: [], skip})).toEqual({
    verdict: 'skipped',
    incomplete: false,
    findings: [],
  })
})

test('an identity that a ztunnel was denied fails, one that it needs no longer does not', () => {
  const by = {source: 'ztunnel-config-dump', route: 'port-forward'} as const
  const held = (stateReason: string) => [
    proxyHolds([bare('spiffe://a/ns/b/sa/c', {state: 'UNAVAILABLE', stateReason})], {by}),
  ]
  const agent = {...AGENT, dialect: 'ztunnel'} as const

  const denied = diff(held('signing error:\n\ttls'), {agent})
  expect(denied).toMatchObject({verdict: 'fail', incomplete: false})
  expect(denied.findings[0]?.message).toBe('secret spiffe://a/ns/b/sa/c at the proxy: unavailable: signing error: tls')
  expect(list(held('the identity is no longer needed'), {agent}).verdict).toBe('pass')
  expect(diff([identitiesExpected('spiffe://a/ns/b/sa/c'), proxyHolds([], {by})], {agent}).verdict).toBe('fail')
})

test.each<[string, readonly Observation[], Partial<GatheredEvidence>, Judgement['verdict']]>([
  ['valid secrets', [EXPIRY, proxyHolds([DEFAULT, ROOTS])], {}, 'pass'],
  [
    'sides that differ, which a list does not compare',
    [EXPIRY, proxyHolds([chain('default', [leaf('b')])])],
    {},
    'pass',
  ],
  ['an expired leaf', [proxyHolds([chain('default', [leaf('a', EXPIRED)])])], {}, 'fail'],
  ['an expired root beside a valid one', [proxyHolds([bundle('ROOTCA', [root('x', EXPIRED), root('1')])])], {}, 'warn'],
  ['a secret that warms', [proxyHolds([DEFAULT, bare('x', {state: 'WARMING'})])], {}, 'warn'],
  ['a secret that was never taken up', [proxyHolds([bare('x', {state: 'UNINITIALIZED'})])], {}, 'fail'],
  ['a side that failed', [EXPIRY], {failures: [failureOf('envoy-config-dump')]}, 'unknown'],
  ['no secrets at all', [proxyHolds([])], {}, 'unknown'],
])('a list is judged item by item: %s', (_, observations, more, verdict) => {
  expect(list(observations, more).verdict).toBe(verdict)
})

test('the findings say as much as the rows', () => {
  const rank = {fail: 2, warn: 1} as const
  const cases: readonly (readonly Observation[])[] = [
    [EXPIRY, proxyHolds([DEFAULT, ROOTS, bare('w', {state: 'WARMING'}), bare('u', {state: 'UNINITIALIZED'})])],
    [
      proxyHolds([
        chain('a', [A, {...BROKEN, position: 'root'}]),
        bundle('b', [BROKEN, root('1')]),
        bare('c', {type: 'CA'}),
      ]),
    ],
    [nodeAgentHolds([chain('default', [leaf('b')])]), proxyHolds([DEFAULT])],
  ]
  for (const observations of cases) {
    const it = evidence(observations)
    for (const row of [...compareSecrets(it), ...listSecrets(it)]) {
      const kind =
        'result' in row
          ? judgeDiff({rows: [row], gaps: [], observations: []})
          : judgeList({rows: [row], gaps: [], observations: []})
      const worst = Math.max(0, ...kind.findings.map(({severity}) => rank[severity]))
      const isAgentHalf = 'result' in row && row.result === 'MISMATCH' && row.proxy === ''
      const severity = rowSeverity(row)

      expect([row.name, isAgentHalf || worst]).toEqual([
        row.name,
        isAgentHalf || (severity === 'fail' ? 2 : severity === 'warn' ? 1 : 0),
      ])
    }
  }
})
