import {expect, test} from '@jest/globals'
import {collectNotes} from '../../../src/lib/compare/collect-notes.ts'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {findFailures, findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import type {
  CertificatesManaged,
  KubernetesSecretSeen,
  ManagedCertificate,
} from '../../../src/lib/domain/kubernetes-seen.ts'
import type {Observation, SecretsSeen} from '../../../src/lib/domain/observation.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  expiryAt,
  failureOf,
  leaf,
  NOW,
  proxyHolds,
  published,
  root,
  told,
} from './builders.ts'

const HOUR = 3_600_000
const WEB = 'kubernetes://web'
const END = leaf('a').notAfterMs
const READY = {isTrue: true, reason: 'Ready', message: ''}

function managed(...certificates: readonly Partial<ManagedCertificate>[]): CertificatesManaged {
  return {
    type: 'certificates-managed',
    by: {source: 'cert-manager', route: 'api'},
    namespace: 'shop',
    certificates: certificates.map((one, index) => ({
      name: `web-${index + 1}`,
      secretName: 'web',
      ready: READY,
      isIssuing: false,
      problems: [],
      ...one,
    })),
  }
}

function kubernetesSecret(name: string, more: Partial<KubernetesSecretSeen> = {}): KubernetesSecretSeen {
  const by = {source: 'kubernetes-secret', route: 'api'} as const
  return {type: 'kubernetes-secret', by, namespace: 'shop', name, exists: true, ...more}
}

function holding(...certificates: SecretItem['certificates']): NonNullable<KubernetesSecretSeen['chain']> {
  return {certificates, keyFound: false, notes: []}
}

function istiodSends(...items: readonly SecretItem[]): SecretsSeen {
  const by = {source: 'istiod-config-dump', route: 'port-forward'} as const
  return {type: 'secrets', by, side: 'agent', items, complete: true, notes: []}
}

const compare = (...seen: readonly Observation[]) => compareSecrets(evidence(seen))
const HELD = proxyHolds([chain(WEB, [leaf('a')])])

test('where nothing stronger spoke, the end that cert-manager tells is compared', () => {
  expect(told(compare(HELD, managed({notAfterMs: END})))).toEqual([`${WEB} | PRESENT | ACTIVE | MATCH | expiry | a`])
  expect(told(compare(HELD, managed({notAfterMs: END + 24 * HOUR})))).toEqual([
    `${WEB} | PRESENT | - | MISMATCH: proxy is stale | expiry | no serial`,
    `${WEB} | - | ACTIVE | MISMATCH: proxy is stale | expiry | a`,
  ])
})

test('what istiod serves wins, and what cert-manager says otherwise stands beside it', () => {
  const rows = compare(HELD, istiodSends(chain(WEB, [leaf('a')])), managed({notAfterMs: END + 24 * HOUR}))

  expect(told(rows)).toEqual([`${WEB} | PRESENT | ACTIVE | MATCH | fingerprint | a`])
  expect(rows[0]).toMatchObject({
    agentSource: 'istiod-config-dump',
    notes: ['cert-manager has another one: it ends at 2026-06-03T06:02:00Z'],
  })
})

test('sources that agree are not worth a word', () => {
  const seen = [HELD, istiodSends(chain(WEB, [leaf('a')])), managed({notAfterMs: END})]

  expect(compare(...seen)[0]?.notes).toEqual([])
  expect(collectNotes(evidence(seen))).toEqual([])
})

test.each<[string, Partial<ManagedCertificate>, string | undefined]>([
  ['not Ready', {ready: {isTrue: false, reason: 'Failed', message: 'no quota'}}, 'not Ready: Failed: no quota'],
  ['not Ready without a word', {ready: {isTrue: false, reason: '', message: ''}}, 'not Ready'],
  ['being issued', {isIssuing: true}, 'the next one is being issued'],
  [
    'overdue by an hour and a second',
    {renewalMs: NOW - HOUR - 1000},
    'its renewal was due at 2026-06-01T10:59:59Z, 1h ago',
  ],
  ['due for less than an hour', {renewalMs: NOW - HOUR}, undefined],
  ['of odd dates', {problems: ['status.renewalTime is no time: 7']}, 'status.renewalTime is no time: 7'],
])('a Certificate that is %s', (_what, more, note) => {
  const seen = [HELD, managed({notAfterMs: END, ...more})]
  const expected = note === undefined ? [] : [`Certificate shop/web-1: ${note}`]

  const rows = compare(...seen)

  expect(told(rows)).toEqual([`${WEB} | PRESENT | ACTIVE | MATCH | expiry | a`])
  expect(rows[0]?.notes).toEqual(expected)
  expect(collectNotes(evidence(seen))).toEqual(expected.map((text) => `${WEB}: ${text}`))
})

test('one that no controller has looked at says so', () => {
  const {ready: _, ...unseen} = managed({notAfterMs: END}).certificates[0]!

  const rows = compare(HELD, {...managed(), certificates: [unseen]})

  expect(rows[0]?.notes).toEqual(['Certificate shop/web-1: it has no Ready condition: is cert-manager running?'])
})

test.each<[string, readonly Partial<ManagedCertificate>[], string]>([
  [
    'was never issued',
    [{ready: {isTrue: false, reason: 'DoesNotExist', message: ''}}],
    'Certificate shop/web-1 has not been issued',
  ],
  [
    'has an end that is no time',
    [{problems: ['status.notAfter is no time: "x"']}],
    'Certificate shop/web-1: status.notAfter is no time: "x"',
  ],
  [
    'is not the only one of its Secret',
    [{notAfterMs: END}, {notAfterMs: END + HOUR}],
    'Certificate shop/web-1 and Certificate shop/web-2 write the same Secret and differ',
  ],
])('where a Certificate %s, nothing is compared, and it is said why', (_what, certificates, reason) => {
  const [row] = compare(HELD, managed(...certificates))

  expect(told([row!])).toEqual([`${WEB} | - | ACTIVE | NOT_COMPARABLE: ${reason} | none | a`])
})

test('two Certificates of one Secret that end alike are compared, with a word', () => {
  const [row, ...more] = compare(HELD, managed({notAfterMs: END}, {notAfterMs: END + 1000}))

  expect(row).toMatchObject({
    result: 'MATCH',
    notes: ['Certificate shop/web-1 and Certificate shop/web-2 write the same Secret'],
  })
  expect(more).toEqual([])
})

test('Certificates of another namespace, another Secret or only the CA say nothing', () => {
  const rows = compare(
    proxyHolds([
      chain(WEB, [leaf('a')]),
      chain('kubernetes-gateway://certs/web', [leaf('b')]),
      bundle(`${WEB}-cacert`, [root('r')]),
    ]),
    managed({notAfterMs: 0, secretName: 'other'}, {notAfterMs: 0, secretName: 'web-cacert'}),
  )

  expect(rows.map(({result, reason}) => `${result} ${reason}`)).toEqual(Array(3).fill('NOT_COMPARABLE no source'))
})

test('a secret that istiod does not serve is not made up for by its Certificate', () => {
  const waiting = proxyHolds([bare(WEB, {state: 'WARMING'}), chain('kubernetes://old', [leaf('b')])])
  const pages = managed({notAfterMs: END}, {secretName: 'old', notAfterMs: END})

  const rows = compare(waiting, istiodSends(), pages)

  expect(told(rows)).toEqual([
    `${WEB} | - | WARMING | PROXY_WARMING: istiod does not serve it | none | none`,
    'kubernetes://old | - | ACTIVE | ONLY_PROXY | presence | b',
  ])
  expect(rows[0]?.notes).toContain('cert-manager has one: it ends at 2026-06-02T06:02:00Z')
})

test('the certificates of a Secret are compared by fingerprint, and win over what cert-manager tells', () => {
  const rows = compare(
    HELD,
    kubernetesSecret('web', {chain: holding(leaf('b'))}),
    managed({notAfterMs: END + 24 * HOUR}),
  )

  expect(told(rows)).toEqual([
    `${WEB} | PRESENT | - | MISMATCH: other certificate of the same dates | fingerprint | b`,
    `${WEB} | - | ACTIVE | MISMATCH: other certificate of the same dates | fingerprint | a`,
  ])
  expect(rows[0]).toMatchObject({
    agentSource: 'kubernetes-secret',
    notes: [expect.stringContaining('cert-manager has another')],
  })
})

test('istiod wins over the Secret, and a key in the Secret’s certificate counts all the same', () => {
  const spoiled = {...holding(leaf('a')), keyFound: true}

  const [row] = compare(HELD, istiodSends(chain(WEB, [leaf('a')])), kubernetesSecret('web', {chain: spoiled}))

  expect(row).toMatchObject({
    agentSource: 'istiod-config-dump',
    result: 'MATCH',
    keyFound: true,
    notes: ['kubernetes-secret holds a private key in place of a certificate'],
  })
})

test('a CA is taken from the Secret of its own, or from that of the pair', () => {
  const proxy = proxyHolds([bundle(`${WEB}-cacert`, [root('r')])])
  const ours = kubernetesSecret('web', {roots: holding(root('r'))})

  const compared = (...seen: readonly Observation[]) => told(compare(proxy, ...seen))

  expect(
    compared(kubernetesSecret('web-cacert', {roots: holding(root('r'))}), kubernetesSecret('web', {exists: false})),
  ).toEqual([`${WEB}-cacert | PRESENT | ACTIVE | MATCH | fingerprint | r`])
  expect(compared(kubernetesSecret('web-cacert', {exists: false}), ours)).toEqual([
    `${WEB}-cacert | PRESENT | ACTIVE | MATCH | fingerprint | r`,
  ])
  // Which of both istiod takes is not known where one could not be read.
  expect(compared(ours)).toEqual([`${WEB}-cacert | - | ACTIVE | NOT_COMPARABLE: no source | none | r`])
})

test('a Secret without a certificate says so', () => {
  expect(told(compare(HELD, kubernetesSecret('web')))).toEqual([
    `${WEB} | PRESENT | ACTIVE | NOT_COMPARABLE: Secret shop/web has no tls.crt | none | a`,
  ])
})

test('a Secret that is not there: the proxy holds what nobody has, or waits in vain', () => {
  const proxy = proxyHolds([chain(WEB, [leaf('a')]), bare('kubernetes://new', {state: 'WARMING'})])
  const rows = compare(proxy, kubernetesSecret('web', {exists: false}), kubernetesSecret('new', {exists: false}))

  expect(told(rows)).toEqual([
    `${WEB} | - | ACTIVE | ONLY_PROXY | presence | a`,
    'kubernetes://new | - | WARMING | PROXY_WARMING: its Secret does not exist | none | none',
  ])
  expect(rows[1]?.notes[0]).toContain('see that Secret shop/new exists')
})

test('each side tells all that answered for it', () => {
  const seen = [
    HELD,
    istiodSends(chain(WEB, [leaf('a')])),
    managed({notAfterMs: END}),
    kubernetesSecret('web'),
    expiryAt(END),
  ]

  expect(reportSides(evidence(seen)).agent.answers.map(({source}) => source)).toEqual([
    'istiod-config-dump',
    'cert-manager',
    'kubernetes-secret',
    'agent-metrics',
  ])
})

test('a list shows what cert-manager tells as the agent’s side', () => {
  const rows = listSecrets(evidence([HELD, managed({notAfterMs: END, isIssuing: true})]))

  expect(rows.map(({side, source, notes}) => [side, source, notes])).toEqual([
    ['agent', 'cert-manager', ['Certificate shop/web-1: the next one is being issued']],
    ['proxy', 'envoy-config-dump', []],
  ])
})

test.each<[string, readonly Observation[], boolean]>([
  ['nobody else spoke', [HELD], false],
  ['istiod spoke', [HELD, istiodSends(chain(WEB, [leaf('a')]))], true],
  ['istiod spoke, and serves nothing', [HELD, istiodSends()], true],
  ['only the agent’s metrics spoke', [HELD, expiryAt(END)], false],
])(
  'that cert-manager may not be asked is a gap, unless another source made up for it: %s',
  (_what, seen, isMadeUpFor) => {
    const failures = [failureOf('cert-manager', {side: 'agent'})]
    const now = evidence(seen, {failures})

    expect(findFailures(now)).toEqual(failures)
    expect(findGaps(now)).toEqual(isMadeUpFor ? [] : failures)
  },
)

const NO_CONFIG_MAP = failureOf('published-root', {code: 'not-found', stage: 'decode'})

test.each([
  ['forbidden', 1, 0],
  ['timeout', 1, 1],
  ['not-found', 0, 0],
] as const)('without a ConfigMap, a bundle that is %s: %i failures, %i gaps', (code, told, gaps) => {
  const failures = [NO_CONFIG_MAP, failureOf('published-root', {code})]
  const now = evidence([proxyHolds([bundle('ROOTCA', [root('r')])])], {failures})

  expect(findFailures(now)).toHaveLength(told)
  expect(findGaps(now)).toHaveLength(gaps)
})

test('a ConfigMap that may not be read is a gap as ever', () => {
  const failures = [failureOf('published-root')]

  expect(findGaps(evidence([proxyHolds([bundle('ROOTCA', [root('r')])])], {failures}))).toEqual(failures)
})

test('it is said which object the published roots are from, where it is not the ConfigMap', () => {
  const held = proxyHolds([bundle('ROOTCA', [root('r')])])
  const from = {...published(root('r')), from: 'ClusterTrustBundle istio.io:istiod-ca:root-cert'}

  expect(collectNotes(evidence([held, published(root('r'))]))).toEqual([])
  expect(collectNotes(evidence([held, from]))).toEqual([
    'the published roots are those of ClusterTrustBundle istio.io:istiod-ca:root-cert',
  ])
})

test('files and SDS that do not agree are told, chain and roots', () => {
  const by = {source: 'agent-sds', route: 'exec'} as const
  const sds: SecretsSeen = {
    type: 'secrets',
    by,
    side: 'agent',
    items: [chain('default', [leaf('a')]), bundle('ROOTCA', [root('r')])],
    complete: true,
    notes: [],
  }
  const proxy = proxyHolds([chain('default', [leaf('a')]), bundle('ROOTCA', [root('r')])])
  const files = agentFilesHold([chain('default', [leaf('old')]), bundle('ROOTCA', [root('r'), root('s')])])

  const rows = compare(proxy, sds, files)

  expect(told(rows)).toEqual([
    'default | PRESENT | ACTIVE | MATCH | fingerprint | a',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | r',
  ])
  expect(rows.map(({notes}) => notes)).toEqual([
    ['agent-files has another one: serial old, it ends at 2026-06-02T06:02:00Z'],
    ['agent-files has other roots'],
  ])
})

test('a weaker source that holds nothing readable, or nothing at all', () => {
  const broken = chain(WEB, [{readable: false, problem: 'certificate cut off', position: 'leaf'}])

  const [row] = compare(HELD, istiodSends(broken), managed({notAfterMs: END}))

  expect(row).toMatchObject({
    result: 'MATCH',
    agentSource: 'cert-manager',
    notes: ['istiod-config-dump has none that can be read: certificate cut off'],
  })
})
