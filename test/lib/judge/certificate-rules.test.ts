import {describe, expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {findFailures} from '../../../src/lib/compare/find-gaps.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import {showSecrets} from '../../../src/lib/compare/show-secrets.ts'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import {checkSignatures} from '../../../src/lib/decode/x509/check-signatures.ts'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {ChainCheck} from '../../../src/lib/domain/row.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {isEvaluated, type Judged, type PodRule, type PodSeen} from '../../../src/lib/judge/rule.ts'
import {certExpired} from '../../../src/lib/judge/rules/cert-expired.ts'
import {certExpiring} from '../../../src/lib/judge/rules/cert-expiring.ts'
import {chainBroken} from '../../../src/lib/judge/rules/chain-broken.ts'
import {clockSkew} from '../../../src/lib/judge/rules/clock-skew.ts'
import {identityMismatch} from '../../../src/lib/judge/rules/identity-mismatch.ts'
import {notCompared} from '../../../src/lib/judge/rules/not-compared.ts'
import {rootMissing} from '../../../src/lib/judge/rules/root-missing.ts'
import {rotationOverdue} from '../../../src/lib/judge/rules/rotation-overdue.ts'
import {weakKey} from '../../../src/lib/judge/rules/weak-key.ts'
import {DEFAULT_THRESHOLDS} from '../../../src/lib/judge/thresholds.ts'
import {pod} from '../../support/pods.ts'
import {
  AGENT,
  agentFilesHold,
  bundle,
  chain,
  evidence,
  expiryAt,
  failureOf,
  identitiesExpected,
  leaf,
  NOW,
  proxyHolds,
  published,
  root,
} from '../compare/builders.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Seeing {
  readonly agent?: Partial<Agent>
  readonly pod?: Partial<Pod>
  readonly isProxyLost?: boolean
}

function seen(observations: readonly Observation[], {agent, pod: of, isProxyLost = false}: Seeing = {}): PodSeen {
  const it = evidence(observations, {
    agent: {...AGENT, ...agent},
    asked: {
      sources: [
        {source: 'envoy-config-dump', side: 'proxy'},
        {source: 'agent-metrics', side: 'agent'},
      ],
    },
    failures: isProxyLost ? [failureOf('envoy-config-dump')] : [],
  })
  return {
    pod: pod('cart-1', {serviceAccount: 'cart', ...of}),
    agent: it.agent,
    rows: compareSecrets(it),
    held: showSecrets(it, checkSignatures(observations, createCertificateReader({maxEntries: 16}))),
    observations,
    managed: [],
    failures: findFailures(it),
    sides: reportSides(it),
    nowMs: NOW,
    thresholds: DEFAULT_THRESHOLDS,
  }
}

function told(rule: PodRule, at: PodSeen): readonly string[] | Exclude<Judged, readonly unknown[]> {
  const said = rule.judge(at)
  return isEvaluated(said) ? said.map(({severity, message}) => `${severity}: ${message}`) : said
}

function found(rule: PodRule, at: PodSeen): readonly string[] | string {
  const said = rule.judge(at)
  if (said === undefined) return 'not about it'
  return isEvaluated(said) ? said.map(({severity}) => severity) : said.cause
}

/** A leaf of a day with so many hours left. */
function dated(left: number, id = 'a') {
  return leaf(id, {notBeforeMs: NOW + left * HOUR - DAY - 120_000, notAfterMs: NOW + left * HOUR})
}

describe('rotation-overdue', () => {
  test.each<[string, readonly Observation[], Seeing, readonly string[] | string]>([
    ['more left than is due', [proxyHolds([chain('default', [dated(13)])])], {}, []],
    ['due, and within the tolerance', [proxyHolds([chain('default', [dated(10.8)])])], {}, []],
    ['a second past it', [proxyHolds([chain('default', [dated(10.8 - 1 / 3600)])])], {}, ['fail']],
    ['the same with another ratio', [proxyHolds([chain('default', [dated(10)])])], {agent: {graceRatio: 0.3}}, []],
    ['mounted files', [proxyHolds([chain('default', [dated(1)])])], {agent: {trustSource: 'mounted files'}}, 'scope'],
    ['SPIRE', [proxyHolds([chain('default', [dated(1)])])], {agent: {trustSource: 'SPIRE'}}, 'scope'],
    ["a gateway's own", [proxyHolds([chain('kubernetes://shop-cert', [dated(1)])])], {}, 'scope'],
    [
      'an old proxy whose agent has renewed',
      [expiryAt(NOW + 20 * HOUR), proxyHolds([chain('default', [dated(8)])])],
      {},
      [],
    ],
    [
      'only the end is known at the agent, and the proxy tells the start',
      [expiryAt(NOW + 8 * HOUR), proxyHolds([chain('default', [dated(8)])])],
      {},
      ['fail'],
    ],
    ['the end alone, of an agent without a proxy', [expiryAt(NOW + 8 * HOUR)], {agent: {dialect: 'none'}}, 'scope'],
    [
      'files of an agent without a proxy',
      [agentFilesHold([chain('default', [dated(8)])])],
      {agent: {dialect: 'none'}},
      ['fail'],
    ],
    ['a proxy that cannot be read', [expiryAt(NOW + 20 * HOUR)], {isProxyLost: true}, 'forbidden'],
  ])('%s', (_, observations, seeing, expected) => {
    expect(found(rotationOverdue, seen(observations, seeing))).toEqual(expected)
  })

  test('a ztunnel renews each identity that it holds', () => {
    const id = 'spiffe://mesh.example/ns/shop/sa/cart'
    const by = {source: 'ztunnel-config-dump', route: 'port-forward'} as const
    const observations = [identitiesExpected(id), proxyHolds([chain(id, [dated(8)])], {by})]

    expect(found(rotationOverdue, seen(observations, {agent: {dialect: 'ztunnel', kind: 'istio-ztunnel'}}))).toEqual([
      'fail',
    ])
  })
})

describe('cert-expiring', () => {
  const outside = (daysLeft: number) =>
    chain('kubernetes://shop-cert', [
      leaf('g', {notBeforeMs: NOW - (90 - daysLeft) * DAY, notAfterMs: NOW + daysLeft * DAY}),
    ])
  const rootUntil = (days: number, id = '1') => root(id, {notBeforeMs: NOW - 3650 * DAY, notAfterMs: NOW + days * DAY})

  test.each<[string, readonly Observation[], readonly string[]]>([
    ['a gateway with 27 days left of 90', [proxyHolds([outside(27)])], []],
    ['with a second less', [proxyHolds([outside(27 - 1 / 86_400)])], ['warn']],
    ['with less than a week', [proxyHolds([outside(6.9)])], ['fail']],
    ['a root of 89 days', [proxyHolds([bundle('ROOTCA', [rootUntil(89)])])], ['warn']],
    ['a root of 29 days', [proxyHolds([bundle('ROOTCA', [rootUntil(29)])])], ['fail']],
    ['beside one that lasts', [proxyHolds([bundle('ROOTCA', [rootUntil(29), rootUntil(900, '2')])])], ['warn']],
    [
      'beside one that does not',
      [proxyHolds([bundle('ROOTCA', [rootUntil(29), rootUntil(20, '2')])])],
      ['fail', 'fail'],
    ],
    [
      'a root that a chain carries along',
      [proxyHolds([chain('default', [dated(20), rootUntil(29)]), bundle('ROOTCA', [rootUntil(29)])])],
      ['fail'],
    ],
    [
      'a root that only a chain carries along',
      [proxyHolds([chain('default', [dated(20), rootUntil(29)]), bundle('ROOTCA', [rootUntil(900, '2')])])],
      [],
    ],
    ['what has ended has a rule of its own', [proxyHolds([outside(-1)])], []],
    [
      'a root that is published and not held',
      [published(rootUntil(29), rootUntil(900, '2')), proxyHolds([bundle('ROOTCA', [rootUntil(900, '2')])])],
      [],
    ],
    [
      'an intermediate, once for all chains',
      [
        proxyHolds([
          chain('kubernetes://a', [
            leaf('a'),
            root('i', {position: 'intermediate', selfSigned: false, notAfterMs: NOW + 10 * DAY}),
          ]),
          chain('kubernetes://b', [
            leaf('a'),
            root('i', {position: 'intermediate', selfSigned: false, notAfterMs: NOW + 10 * DAY}),
          ]),
        ]),
      ],
      ['fail'],
    ],
  ])('%s', (_, observations, severities) => {
    expect(found(certExpiring, seen(observations))).toEqual(severities)
  })

  test('a share of an unknown life is not evaluated', () => {
    expect(found(certExpiring, seen([expiryAt(NOW + HOUR)], {agent: {dialect: 'none'}}))).toBe('scope')
  })
})

describe('clocks', () => {
  const end = NOW + 30_000
  const ended = (skewMs: number) =>
    seen([
      proxyHolds([chain('default', [leaf('a', {notAfterMs: end})])], {
        by: {source: 'envoy-config-dump', route: 'port-forward', skewMs},
      }),
    ])

  test('the clock of the pod judges, and where it alone decides the finding says so', () => {
    expect(told(certExpired, ended(0))).toEqual([])
    expect(told(certExpired, ended(90_000))).toEqual([
      expect.stringMatching(/ended at .+; only by the clock there, which is 90 s ahead of ours$/),
    ])
    expect(told(certExpired, ended(-600_000))).toEqual([])
  })

  test.each<[string, number, number, readonly string[]]>([
    ['both go as ours', 1000, -1000, []],
    ["only the pod's is off", 90_000, 0, ['warn: the clock behind envoy-config-dump is 90 s ahead of ours']],
    ["only the API server's is off", 0, -90_000, ['warn: the clock behind published-root is 90 s behind ours']],
    ['ours is', 90_000, 91_000, ['warn: the clock here is 90 s behind that of API server and pod, which agree']],
    [
      'each is off by itself',
      90_000,
      -90_000,
      [
        'warn: the clock behind envoy-config-dump is 90 s ahead of ours',
        'warn: the clock behind published-root is 90 s behind ours',
      ],
    ],
  ])('%s', (_, podMs, apiMs, findings) => {
    const at = seen([
      proxyHolds([], {by: {source: 'envoy-config-dump', route: 'port-forward', skewMs: podMs}}),
      {...published(root('1')), by: {source: 'published-root', route: 'api', skewMs: apiMs}},
    ])

    expect(told(clockSkew, at)).toEqual(findings)
  })
})

describe('identity-mismatch', () => {
  const id = (text: string) => ({spiffeIds: [text], sans: [`URI:${text}`]})
  const holding = (more: Parameters<typeof leaf>[1]) => [proxyHolds([chain('default', [leaf('a', more)])])]

  test.each<[string, readonly Observation[], Seeing, readonly string[] | string]>([
    ['its own', holding({}), {}, []],
    ['an alias of the trust domain', holding(id('spiffe://old.example/ns/shop/sa/cart')), {}, []],
    ['another account', holding(id('spiffe://mesh.example/ns/shop/sa/till')), {}, ['fail']],
    ['another namespace', holding(id('spiffe://mesh.example/ns/bank/sa/cart')), {}, ['fail']],
    ['a beginning of the account', holding(id('spiffe://mesh.example/ns/shop/sa/cart-2')), {}, ['fail']],
    ['none, from istiod', holding({spiffeIds: [], sans: []}), {}, ['fail']],
    ['none, from files', holding({spiffeIds: [], sans: []}), {agent: {trustSource: 'mounted files'}}, 'scope'],
    [
      'a form of its own, from SPIRE',
      holding(id('spiffe://mesh.example/cart')),
      {agent: {trustSource: 'SPIRE'}},
      'scope',
    ],
    ['no identity at all', [proxyHolds([chain('kubernetes://x', [leaf('a')])])], {}, 'scope'],
    ['a ztunnel, which holds those of others', holding({}), {agent: {dialect: 'ztunnel'}}, 'not about it'],
  ])('%s', (_, observations, seeing, expected) => {
    expect(found(identityMismatch, seen(observations, seeing))).toEqual(expected)
  })
})

test.each<[string, Parameters<typeof leaf>[1], number]>([
  ['EC P-256', {}, 0],
  ['RSA of 2048 bits', {key: {type: 'RSA', size: 2048}}, 0],
  ['RSA of 2047 bits', {key: {type: 'RSA', size: 2047}}, 1],
  ['EC of 224 bits', {key: {type: 'EC', size: 224}}, 1],
  ['Ed25519', {key: {type: 'Ed25519'}}, 0],
  ['DSA', {key: {type: 'DSA', size: 4096}}, 1],
  ['SHA-1', {weakHash: 'SHA-1'}, 1],
  ['MD5 on a short key', {weakHash: 'MD5', key: {type: 'RSA', size: 1024}}, 2],
])('weak-key: %s', (_, more, findings) => {
  expect(weakKey.judge(seen([proxyHolds([chain('default', [leaf('a', more)])])]))).toHaveLength(findings)
})

test("weak-key: a root's own signature does not count, its key does", () => {
  expect(weakKey.judge(seen([proxyHolds([bundle('ROOTCA', [root('1', {weakHash: 'SHA-1'})])])]))).toEqual([])
  expect(
    weakKey.judge(seen([proxyHolds([bundle('ROOTCA', [root('1', {key: {type: 'RSA', size: 1024}})])])])),
  ).toHaveLength(1)
})

describe('not-compared', () => {
  const observations = [proxyHolds([chain('default', [leaf('a')])])]

  test('an identity of which no agent tells is a warning, one that is compared is none', () => {
    expect(found(notCompared, seen(observations, {agent: {trustSource: 'SPIRE'}}))).toEqual(['warn'])
    expect(found(notCompared, seen([expiryAt('2026-06-02T06:02:00Z'), ...observations]))).toEqual([])
  })
})

describe('root-missing', () => {
  const identity = chain('default', [leaf('a')])

  test.each<[string, readonly Observation[], Seeing, readonly string[] | string]>([
    ['an identity without any roots', [proxyHolds([identity])], {}, ['fail']],
    [
      'roots that have all ended',
      [proxyHolds([identity, bundle('ROOTCA', [root('1', {notAfterMs: NOW - DAY})])])],
      {},
      ['fail'],
    ],
    ['one that is left', [published(root('1')), proxyHolds([identity, bundle('ROOTCA', [root('1')])])], {}, []],
    ['another trust source', [proxyHolds([identity])], {agent: {trustSource: 'Consul'}}, 'scope'],
  ])('%s', (_, observations, seeing, expected) => {
    expect(found(rootMissing, seen(observations, seeing))).toEqual(expected)
  })

  test('expected roots take the place of those that are published', () => {
    const at = seen([published(root('1'), root('2')), proxyHolds([identity, bundle('ROOTCA', [root('1')])])])
    const fingerprint = (id: string) => [{fingerprint: `fp-${id}`}]

    expect(found(rootMissing, at)).toEqual(['warn'])
    expect(found(rootMissing, {...at, expectedRoots: fingerprint('1')})).toEqual([])
    expect(found(rootMissing, {...at, expectedRoots: fingerprint('2')})).toEqual(['fail'])
  })
})

describe('chain-broken', () => {
  const between = root('i', {position: 'intermediate', selfSigned: false, subject: 'CN=i'})
  const at = seen([proxyHolds([chain('default', [leaf('a', {issuer: 'CN=x'}), between])])])
  const checked = (check: Partial<ChainCheck>): PodSeen => ({
    ...at,
    held: at.held.map((row) => ({
      ...row,
      check: {signedByNext: [false], end: 'issuer-not-included', verified: undefined, reason: '', ...check},
    })),
  })

  test('a certificate that did not sign the one before it breaks a chain that leads nowhere else', () => {
    expect(told(chainBroken, checked({}))).toEqual([
      'fail: secret default at the proxy (serial a): leaf is signed by CN=x, and CN=i follows it',
    ])
    expect(told(chainBroken, checked({verified: true}))).toEqual([])
    expect(told(chainBroken, checked({end: 'self-signed'}))).toEqual([])
    expect(told(chainBroken, checked({signedByNext: [true]}))).toEqual([])
    expect(told(chainBroken, checked({signedByNext: [undefined]}))).toEqual([])
  })
})
