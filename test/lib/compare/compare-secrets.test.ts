import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import type {Certificate} from '../../../src/lib/domain/certificate.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  EXPIRED,
  expiryAt,
  failureOf,
  leaf,
  NODE_ID,
  nodeAgentHolds,
  NOW,
  proxyHolds,
  published,
  root,
  told,
} from './builders.ts'

const OLD = leaf('46a1', {
  notBeforeMs: Date.parse('2026-05-31T10:00:00Z'),
  notAfterMs: Date.parse('2026-06-01T10:02:00Z'),
})
const NEW = leaf('46a2')

function facts(serial: string): Certificate {
  const {fingerprint: _, ...known} = leaf(serial)
  return known
}

function nodeOf(pod: string): string {
  return `sidecar~10.0.0.7~${pod}~shop.svc.cluster.local`
}

function spiffeBundle(trustDomain: string, id: string): SecretItem {
  return bundle('ROOTCA', [root(id)], {type: 'SPIFFE Bundle', trustDomain})
}

function compared(...observations: readonly Observation[]): string[] {
  return told(compareSecrets(evidence(observations)))
}

test('the same certificate on both sides is a match by fingerprint, told once', () => {
  const rows = compareSecrets(
    evidence([nodeAgentHolds([chain('default', [NEW])]), proxyHolds([chain('default', [NEW])])]),
  )

  expect(told(rows)).toEqual(['default | PRESENT | ACTIVE | MATCH | fingerprint | 46a2'])
  expect(rows[0]).toMatchObject({
    agentSource: 'node-agent-debug',
    proxySource: 'envoy-config-dump',
    agentPod: 'nodeagent-x',
    destination: NODE_ID,
    state: 'ACTIVE',
    status: 'VALID',
    secondsLeft: 18 * 3600 + 120,
    trustDomain: 'mesh.example',
    confirmed: true,
  })
})

test.each([
  ['a newer certificate at the agent', NEW, OLD, 'proxy is stale'],
  ['a newer certificate at the proxy', OLD, NEW, 'agent is stale'],
  ['the same start and a later end at the agent', leaf('2', {notAfterMs: NOW + 9e7}), leaf('1'), 'proxy is stale'],
  ['another issuer', leaf('2', {issuer: 'O=else'}), leaf('1'), 'other issuer'],
  [
    'another trust domain',
    leaf('2', {spiffeIds: ['spiffe://old.example/ns/shop/sa/cart']}),
    leaf('1'),
    'other trust domain',
  ],
  ['the same serial, padded', leaf('0a', {fingerprint: 'fp-x'}), leaf('00a'), 'same serial, other certificate'],
  ['another key for the same time', leaf('2'), leaf('1'), 'other certificate of the same dates'],
])('%s is two rows with one reason', (_, agent, proxy, reason) => {
  const rows = compared(nodeAgentHolds([chain('default', [agent])]), proxyHolds([chain('default', [proxy])]))

  expect(rows).toEqual([
    `default | PRESENT | - | MISMATCH: ${reason} | fingerprint | ${agent.serial}`,
    `default | - | ACTIVE | MISMATCH: ${reason} | fingerprint | ${proxy.serial}`,
  ])
})

test('an update that the proxy refused is the reason, with its time and details', () => {
  const rejected = {at: '2026-05-31T22:40:11.532Z', details: 'Failed to load certificate chain from <inline>'}
  const rows = compareSecrets(
    evidence([
      nodeAgentHolds([chain('default', [leaf('2', {issuer: 'O=else'})])]),
      proxyHolds([chain('default', [leaf('1')], {rejected})]),
    ]),
  )

  const reason = 'update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline>'
  expect(rows.map((row) => row.reason)).toEqual([reason, reason])
  expect(rows[1]?.rejected).toEqual(rejected)
})

test('without fingerprints serial and both dates decide, and padding does not', () => {
  const certs = {by: {source: 'envoy-certs', route: 'port-forward'}, complete: false} as const

  const same = compared(
    agentFilesHold([chain('default', [leaf('04a1')])]),
    proxyHolds([chain('', [facts('4a1')])], certs),
  )
  const other = compared(
    agentFilesHold([chain('default', [leaf('04a1')])]),
    proxyHolds([chain('', [facts('4a2')])], certs),
  )

  expect(same).toEqual(['default | PRESENT | ACTIVE | MATCH | serial | 04a1'])
  expect(other).toEqual([
    'default | PRESENT | - | MISMATCH: other certificate of the same dates | serial | 04a1',
    'default | - | ACTIVE | MISMATCH: other certificate of the same dates | serial | 4a2',
  ])
})

test.each([0, 2000, -2000])('an expiry %i ms off is the same expiry, and shows the proxy certificate', (offMs) => {
  const rows = compareSecrets(evidence([expiryAt(NEW.notAfterMs + offMs), proxyHolds([chain('default', [NEW])])]))

  expect(told(rows)).toEqual(['default | PRESENT | ACTIVE | MATCH | expiry | 46a2'])
  expect(rows[0]).toMatchObject({
    agentPod: 'cart-1',
    agentSource: 'agent-metrics',
    certificate: {fingerprint: 'fp-46a2'},
  })
})

test.each([
  [2001, 'proxy is stale'],
  [-2001, 'agent is stale'],
])('an expiry %i ms off differs, and the agent row has an end and nothing else', (offMs, reason) => {
  const rows = compareSecrets(evidence([expiryAt(NEW.notAfterMs + offMs), proxyHolds([chain('default', [NEW])])]))

  expect(told(rows)).toEqual([
    `default | PRESENT | - | MISMATCH: ${reason} | expiry | no serial`,
    `default | - | ACTIVE | MISMATCH: ${reason} | expiry | 46a2`,
  ])
  expect(rows[0]?.certificate).not.toHaveProperty('fingerprint')
})

test('a file says what its expiry was counted from', () => {
  const observations = [expiryAt(NEW.notAfterMs, {countedFrom: 'file time'}), proxyHolds([chain('default', [NEW])])]

  expect(compareSecrets(evidence(observations))[0]?.notes).toEqual(['expiry counted from file time'])
  expect(compareSecrets(evidence(observations, {reading: 'live'}))[0]?.notes).toEqual([])
})

test('the strongest source speaks: a fingerprint before an expiry, and what can be read before what can not', () => {
  const stale = expiryAt(OLD.notAfterMs)
  const proxy = proxyHolds([chain('default', [NEW])])

  expect(compared(stale, agentFilesHold([chain('default', [NEW])]), proxy)).toEqual([
    'default | PRESENT | ACTIVE | MATCH | fingerprint | 46a2',
  ])
  expect(compared(expiryAt(NEW.notAfterMs), agentFilesHold([bare('default', {})]), proxy)).toEqual([
    'default | PRESENT | ACTIVE | MATCH | expiry | 46a2',
  ])
})

test('of two secrets of one name equal certificates pair first, the rest in order', () => {
  const rows = compared(
    agentFilesHold([chain('default', [leaf('a')]), chain('default', [leaf('b')])]),
    proxyHolds([chain('default', [leaf('c')]), chain('default', [leaf('a')])]),
  )

  expect(rows).toEqual([
    'default | PRESENT | - | MISMATCH: other certificate of the same dates | fingerprint | b',
    'default | - | ACTIVE | MISMATCH: other certificate of the same dates | fingerprint | c',
    'default | PRESENT | ACTIVE | MATCH | fingerprint | a',
  ])
})

test('a node agent speaks for the pod that its items name exactly, and its newest entry counts', () => {
  const rows = compared(
    nodeAgentHolds([
      chain('default', [NEW], {createdMs: 2}),
      chain('default', [OLD], {createdMs: 1}),
      chain('default', [leaf('x')], {createdMs: 3, destination: nodeOf('cart-10.shop')}),
      chain('default', [leaf('y')], {createdMs: 3, destination: nodeOf('cart-1.shop2')}),
      chain('default', [leaf('z')], {createdMs: 3, destination: nodeOf('my-cart-1.shop')}),
    ]),
    proxyHolds([chain('default', [NEW])]),
  )

  expect(rows).toEqual(['default | PRESENT | ACTIVE | MATCH | fingerprint | 46a2'])
})

test('bundles of one name are matched by trust domain', () => {
  const rows = compared(
    agentFilesHold([spiffeBundle('a.example', 'a'), spiffeBundle('b.example', 'b')]),
    proxyHolds([spiffeBundle('b.example', 'b'), spiffeBundle('a.example', 'a')]),
  )

  expect(rows).toEqual([
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | b',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | a',
  ])
})

test('one bundle of an agent is compared with those of each trust domain at its proxy', () => {
  const proxy = proxyHolds([
    spiffeBundle('a.example', 'a'),
    spiffeBundle('b.example', 'b'),
    spiffeBundle('c.example', 'c'),
  ])
  const agent = agentFilesHold([bundle('ROOTCA', [root('b'), root('d'), root('a')])])

  const rows = compareSecrets(evidence([agent, proxy]))

  expect(told(rows)).toEqual([
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | a',
    'ROOTCA | PRESENT | - | MISMATCH: root missing at the proxy | fingerprint | d',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | b',
    'ROOTCA | - | ACTIVE | MISMATCH: root missing at the agent | fingerprint | c',
  ])
  expect(rows.map(({trustDomain}) => trustDomain)).toEqual(['a.example', undefined, 'b.example', 'c.example'])
})

test('a bundle is compared as a set, a row for each root', () => {
  const rows = compared(
    agentFilesHold([bundle('ROOTCA', [root('1'), root('2'), root('2')])]),
    proxyHolds([bundle('ROOTCA', [root('3'), root('1'), root('1')])]),
  )

  expect(rows).toEqual([
    'ROOTCA | - | ACTIVE | MISMATCH: root missing at the agent | fingerprint | 3',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 1',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 1',
    'ROOTCA | PRESENT | - | MISMATCH: root missing at the proxy | fingerprint | 2',
  ])
})

test('a root that cannot be read is told and hides none of the others', () => {
  const broken = {readable: false, problem: 'certificate cut off', position: 'root'} as const
  const rows = compareSecrets(
    evidence([agentFilesHold([bundle('ROOTCA', [root('1')])]), proxyHolds([bundle('ROOTCA', [broken, root('1')])])]),
  )

  expect(told(rows)).toEqual([
    'ROOTCA | - | ACTIVE | NOT_COMPARABLE: unreadable: certificate cut off | none | none',
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 1',
  ])
  expect(rows[0]).toMatchObject({status: 'INVALID', besideValid: true})
})

test('a warming secret is one row with the certificate of the agent', () => {
  const rows = compareSecrets(
    evidence([nodeAgentHolds([chain('extra', [leaf('e')])]), proxyHolds([bare('extra', {state: 'WARMING'})])]),
  )

  expect(told(rows)).toEqual(['extra | PRESENT | WARMING | PROXY_WARMING | presence | e'])
  expect(rows[0]).toMatchObject({state: 'WARMING', status: 'VALID'})
})

test('a secret that warms while one of its name is in use is told by the one in use', () => {
  const rows = compareSecrets(
    evidence([
      agentFilesHold([chain('default', [NEW])]),
      proxyHolds([bare('default', {state: 'WARMING'}), chain('default', [NEW])]),
    ]),
  )

  expect(told(rows)).toEqual(['default | PRESENT | ACTIVE | MATCH | fingerprint | 46a2'])
  expect(rows[0]?.notes).toEqual(['another one is warming'])
})

test('what the proxy waits for is a difference though no agent is known, but for what is never answered', () => {
  const rows = compared(
    proxyHolds([
      bare('kubernetes://shop-tls', {state: 'WARMING'}),
      bare('default', {state: 'UNINITIALIZED'}),
      bare('invalid://x', {state: 'WARMING'}),
    ]),
  )

  expect(rows).toEqual([
    'kubernetes://shop-tls | - | WARMING | PROXY_WARMING | none | none',
    'default | - | UNINITIALIZED | PROXY_WARMING: listed as active, but nothing was taken up | none | none',
    'invalid://x | - | WARMING | NOT_COMPARABLE: warms by design | none | none',
  ])
})

test('a secret of one side is missing on the other only where a source lists everything there', () => {
  const onlyAgent = [agentFilesHold([chain('default', [NEW])])]
  const onlyProxy = [proxyHolds([chain('kubernetes://edge', [leaf('g')])])]

  expect(compared(...onlyAgent, proxyHolds([]))).toEqual(['default | PRESENT | - | ONLY_AGENT | presence | 46a2'])
  expect(compared(...onlyAgent, proxyHolds([], {complete: false}))).toEqual([
    'default | PRESENT | - | NOT_COMPARABLE: no source | none | 46a2',
  ])
  expect(compared(...onlyProxy, nodeAgentHolds([chain('default', [NEW])]))).toEqual([
    'kubernetes://edge | - | ACTIVE | ONLY_PROXY | presence | g',
    'default | PRESENT | - | ONLY_AGENT | presence | 46a2',
  ])
  expect(compared(...onlyProxy, ...onlyAgent)).toEqual([
    'kubernetes://edge | - | ACTIVE | NOT_COMPARABLE: no source | none | g',
    'default | PRESENT | - | ONLY_AGENT | presence | 46a2',
  ])
})

test('files of an agent are a whole list of what they can hold, and of nothing else', () => {
  const files = {...agentFilesHold([chain('default', [NEW]), bundle('ROOTCA', [root('r')])]), complete: true}
  const proxy = proxyHolds([chain('default', [NEW]), chain('kubernetes://edge', [leaf('g')])])

  expect(compared(files, proxy).slice(1)).toEqual([
    'kubernetes://edge | - | ACTIVE | NOT_COMPARABLE: no source | none | g',
    'ROOTCA | PRESENT | - | ONLY_AGENT | presence | r',
  ])
})

test('of several certificates of one name an expiry is held against the one that ends with it', () => {
  const rows = compared(expiryAt(NEW.notAfterMs), proxyHolds([chain('default', [OLD]), chain('default', [NEW])]))

  expect(rows).toEqual([
    'default | - | ACTIVE | NOT_COMPARABLE: no source | none | 46a1',
    'default | PRESENT | ACTIVE | MATCH | expiry | 46a2',
  ])
})

test('what is in use stands for its name before what was never taken up', () => {
  const rows = compared(
    agentFilesHold([chain('default', [NEW])]),
    proxyHolds([bare('default', {state: 'UNINITIALIZED'}), chain('default', [OLD])]),
  )

  expect(rows.map((row) => row.split(' | ').slice(1, 4).join(' '))).toEqual([
    '- UNINITIALIZED PROXY_WARMING: listed as active, but nothing was taken up',
    'PRESENT - MISMATCH: proxy is stale',
    '- ACTIVE MISMATCH: proxy is stale',
  ])
})

test('a failure is the reason for the secrets that its source could have told of, and for no others', () => {
  const failures = [
    failureOf('agent-metrics'),
    failureOf('published-root', {message: 'Cannot get configmaps: forbidden'}),
  ]
  const proxy = proxyHolds([
    chain('default', [NEW]),
    bundle('ROOTCA', [root('r')]),
    chain('kubernetes://edge', [leaf('g')]),
  ])

  expect(told(compareSecrets(evidence([proxy], {failures})))).toEqual([
    'default | - | ACTIVE | NOT_COMPARABLE: Cannot read agent-metrics of shop/cart-1: forbidden | none | 46a2',
    'ROOTCA | - | ACTIVE | NOT_COMPARABLE: Cannot get configmaps: forbidden | none | r',
    'kubernetes://edge | - | ACTIVE | NOT_COMPARABLE: no source | none | g',
  ])
})

test('a proxy that could not be read leaves the secrets of the agent with its failure', () => {
  const failures = [failureOf('envoy-config-dump')]

  expect(told(compareSecrets(evidence([expiryAt(NEW.notAfterMs)], {failures})))).toEqual([
    'default | PRESENT | - | NOT_COMPARABLE: Cannot read envoy-config-dump of shop/cart-1: forbidden | none | no serial',
  ])
})

test('what the user left out is not asked, and a missing ConfigMap is no failure', () => {
  const proxy = proxyHolds([chain('default', [NEW]), bundle('ROOTCA', [root('r')])])
  const rows = compareSecrets(
    evidence([proxy], {
      asked: {sources: [{source: 'envoy-config-dump', side: 'proxy'}], excluded: ['agent-metrics']},
      failures: [failureOf('published-root', {code: 'not-found'})],
    }),
  )

  expect(rows.map(({reason}) => reason)).toEqual(['not asked', 'no source'])
})

test('an agent that lists nothing of this pod makes no secret the proxy alone', () => {
  expect(compared(nodeAgentHolds([]), proxyHolds([chain('default', [NEW])]))).toEqual([
    'default | - | ACTIVE | NOT_COMPARABLE: the agent lists no secrets of this pod | none | 46a2',
  ])
})

test('two empty values are not equal certificates', () => {
  const agent = nodeAgentHolds([bare('default', {}), bare('ROOTCA', {})])

  expect(compared(agent, proxyHolds([chain('default', [NEW])]))).toEqual([
    'default | PRESENT | ACTIVE | NOT_COMPARABLE: no certificate | none | 46a2',
    'ROOTCA | PRESENT | - | NOT_COMPARABLE: no certificate | none | none',
  ])
  expect(compared(agent, proxyHolds([bare('default', {type: 'Cert Chain'})]))[0]).toBe(
    'default | PRESENT | ACTIVE | NOT_COMPARABLE: no certificate | none | none',
  )
})

test('an empty or unreadable certificate at the proxy differs from the one of the agent', () => {
  const broken = {readable: false, problem: 'no PEM block', position: 'leaf'} as const

  const empty = compared(agentFilesHold([chain('default', [NEW])]), proxyHolds([bare('default', {type: 'Cert Chain'})]))
  const unreadable = compared(agentFilesHold([chain('default', [NEW])]), proxyHolds([chain('default', [broken])]))

  expect(empty).toEqual([
    'default | PRESENT | - | MISMATCH: empty at the proxy | none | 46a2',
    'default | - | ACTIVE | MISMATCH: empty at the proxy | none | none',
  ])
  expect(unreadable[1]).toBe('default | - | ACTIVE | MISMATCH: unreadable at the proxy: no PEM block | none | none')
})

test('generic secrets and ticket keys are compared by presence, and have no certificate to judge', () => {
  const generic = {name: 'api-keys', type: 'Generic', certificates: [], parts: 2, keyFound: false, notes: []} as const

  const rows = compareSecrets(evidence([nodeAgentHolds([chain('default', [NEW])]), proxyHolds([generic])]))
  const both = compared(nodeAgentHolds([generic]), proxyHolds([generic]))

  expect(told(rows)[0]).toBe('api-keys | - | ACTIVE | NOT_COMPARABLE: no source | none | none')
  expect(rows[0]).not.toHaveProperty('status')
  expect(both).toEqual(['api-keys | PRESENT | ACTIVE | MATCH | presence | none'])
})

test('a proxy that holds all published roots matches, and more roots are a note', () => {
  const rows = compareSecrets(
    evidence([published(root('1')), proxyHolds([bundle('ROOTCA', [root('1'), root('2', EXPIRED)])])]),
  )

  expect(told(rows)).toEqual([
    'ROOTCA | - | ACTIVE | MATCH | published | 1',
    'ROOTCA | - | ACTIVE | MATCH | published | 2',
  ])
  expect(rows.map(({notes}) => notes)).toEqual([[], ['not among the published roots']])
  expect(rows[1]).toMatchObject({status: 'EXPIRED', besideValid: true, agentSource: 'published-root'})
})

test('a published root that the proxy lacks is pending until the pod has renewed, and then missing', () => {
  const observations = [
    published(root('1'), root('2')),
    proxyHolds([chain('default', [NEW]), bundle('ROOTCA', [root('1')])]),
  ]
  const at = (now: string) => told(compareSecrets(evidence(observations, {nowMs: Date.parse(now)}))).at(-1)

  const due = '2026-06-01T18:16:24Z'
  expect(at('2026-06-01T12:00:00Z')).toBe(
    `ROOTCA | - | - | PENDING: root missing at the proxy until its renewal at ${due} | published | 2`,
  )
  expect(at(due)).toContain('PENDING')
  expect(at('2026-06-01T18:16:25Z')).toBe('ROOTCA | - | - | MISMATCH: root missing at the proxy | published | 2')
})

test('a grace ratio is the share of the life that is left when the agent renews', () => {
  const observations = [
    published(root('1'), root('2')),
    proxyHolds([chain('default', [NEW]), bundle('ROOTCA', [root('1')])]),
  ]
  const {agent} = evidence([])

  const rows = compareSecrets(evidence(observations, {agent: {...agent, graceRatio: 0.26}}))

  expect(rows.at(-1)?.reason).toBe('root missing at the proxy until its renewal at 2026-06-02T00:02:00Z')
})

test('roots from elsewhere are not held against the published ones, but against those of the agent they are', () => {
  const {agent} = evidence([])
  const spire = {agent: {...agent, trustSource: 'SPIRE'}}
  const proxy = proxyHolds([bundle('ROOTCA', [root('1')])])

  expect(told(compareSecrets(evidence([published(root('2')), proxy], spire)))).toEqual([
    'ROOTCA | - | ACTIVE | NOT_COMPARABLE: other trust source | none | 1',
  ])
  expect(told(compareSecrets(evidence([agentFilesHold([bundle('ROOTCA', [root('1')])]), proxy], spire)))).toEqual([
    'ROOTCA | PRESENT | ACTIVE | MATCH | fingerprint | 1',
  ])
})

test('an answer of another pod is not attributed', () => {
  const node = {id: 'sidecar~10.0.0.7~cart-2.shop~x', type: 'sidecar', ip: '10.0.0.7', pod: 'cart-2', namespace: 'shop'}

  expect(compared(expiryAt(NEW.notAfterMs), proxyHolds([chain('default', [NEW])], {node}))).toEqual([
    `default | PRESENT | - | NOT_COMPARABLE: Cannot use the answer of envoy-config-dump for shop/cart-1: it is of ${node.id} | none | no serial`,
  ])
})

test('a chain is one row told by its leaf, and each of its certificates is judged', () => {
  const intermediate = root('44aa', {...EXPIRED, position: 'intermediate', selfSigned: false})
  const held = chain('default', [leaf('44bb'), intermediate, root('r')])

  const [row] = compareSecrets(evidence([agentFilesHold([held]), proxyHolds([held])]))

  expect(row).toMatchObject({
    status: 'VALID',
    statusReason: 'intermediate 44aa ended at 2024-03-02T10:02:00Z',
    chain: [{status: 'EXPIRED'}, {status: 'VALID'}],
    notes: [],
  })
})

test('other intermediates under the same leaf are a note', () => {
  const [row] = compareSecrets(
    evidence([
      agentFilesHold([chain('default', [NEW, root('i', {position: 'intermediate'}), root('r')])]),
      proxyHolds([chain('default', [NEW])]),
    ]),
  )

  expect(row).toMatchObject({result: 'MATCH', notes: ['the rest of the chain differs']})
})

test('a clock that is off by more than 5 s judges its own certificates', () => {
  const early = leaf('38', {notBeforeMs: NOW + 20_000})
  const at = (skewMs: number) =>
    compareSecrets(
      evidence([
        proxyHolds([chain('default', [early])], {by: {source: 'envoy-config-dump', route: 'port-forward', skewMs}}),
      ]),
    )[0]

  expect(at(25_000)).toMatchObject({status: 'VALID', notes: []})
  expect(at(5000)).toMatchObject({status: 'NOT_YET_VALID', notes: ['starts in 20 s: do the clocks differ?']})
})

test('differences of a live pod are unconfirmed, all else needs no second look', () => {
  const rows = compareSecrets(
    evidence(
      [
        agentFilesHold([chain('default', [NEW])]),
        proxyHolds([chain('default', [OLD]), chain('kubernetes://edge', [leaf('g')]), bare('x', {state: 'WARMING'})]),
      ],
      {reading: 'live'},
    ),
  )

  expect(rows.map(({name, confirmed}) => [name, confirmed])).toEqual([
    ['default', false],
    ['default', false],
    ['kubernetes://edge', true],
    ['x', false],
  ])
})

test('from files one reading counts', () => {
  const rows = compareSecrets(
    evidence([agentFilesHold([chain('default', [NEW])]), proxyHolds([chain('default', [OLD])])]),
  )

  expect(rows.map(({confirmed}) => confirmed)).toEqual([true, true])
})

test('only the chosen secrets are told, and the others still serve as evidence', () => {
  const rows = compareSecrets(
    evidence([published(root('2')), proxyHolds([chain('default', [NEW]), bundle('ROOTCA', [root('1')])])], {
      secretNames: ['ROOTCA'],
    }),
  )

  expect(rows.map(({name}) => name)).toEqual(['ROOTCA', 'ROOTCA'])
  expect(rows[1]?.reason).toContain('2026-06-01T18:16:24Z')
})
