import {describe, expect, test} from '@jest/globals'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {MeshFacts, MeshSeen} from '../../../src/lib/domain/mesh-facts.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {ProxySync, SyncStatesSeen, TypeSync} from '../../../src/lib/domain/mesh-seen.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {findMeshFacts, isUnsettled} from '../../../src/lib/judge/mesh-facts.ts'
import {MeshTally} from '../../../src/lib/judge/mesh-tally.ts'
import {stoppedService} from '../../../src/lib/judge/node-service.ts'
import {isEvaluated, type Judged, type PodRule, type PodSeen} from '../../../src/lib/judge/rule.ts'
import {agentDisconnected} from '../../../src/lib/judge/rules/agent-disconnected.ts'
import {cniNotReady} from '../../../src/lib/judge/rules/cni-not-ready.ts'
import {nodeWithoutAgent} from '../../../src/lib/judge/rules/node-without-agent.ts'
import {versionSkew} from '../../../src/lib/judge/rules/version-skew.ts'
import {xdsRejected} from '../../../src/lib/judge/rules/xds-rejected.ts'
import {xdsStale} from '../../../src/lib/judge/rules/xds-stale.ts'
import {ztunnelDisconnected} from '../../../src/lib/judge/rules/ztunnel-disconnected.ts'
import {DEFAULT_THRESHOLDS} from '../../../src/lib/judge/thresholds.ts'
import {container} from '../../support/mesh-pods.ts'
import {pod} from '../../support/pods.ts'
import {AGENT, failureOf, NOW} from '../compare/builders.ts'
import {checkItem} from '../report/items.ts'

const SIDECAR: Agent = {...AGENT, discovery: {}, revision: 'default'}
const ZTUNNEL: Agent = {...AGENT, kind: 'istio-ztunnel', dialect: 'ztunnel', discovery: {}, nodeService: 'ztunnel'}
const CNI: Agent = {...AGENT, kind: 'istio-cni', dialect: 'none', nodeService: 'cni', holdsNoSecrets: true}
const SYNCED: TypeSync = {type: 'CDS', state: 'SYNCED'}
const BY = {source: 'istiod-syncz', route: 'port-forward'} as const

function istiod(name: string, proxies: Readonly<Record<string, ProxySync>>, version = '1.31.0'): SyncStatesSeen {
  return {
    type: 'sync-states',
    by: BY,
    istiod: {namespace: 'istio-system', name},
    version,
    atMs: NOW,
    proxies: new Map(Object.entries(proxies).map(([id, sync]) => [id, [sync]])),
  }
}

function speakers(...revisions: readonly string[]): Observation {
  const pods = revisions.map((revision, index) => ({namespace: 'istio-system', name: `istiod-${index}`, revision}))
  return {type: 'speakers', by: {source: 'istiod-syncz', route: 'api'}, pods}
}

function seen(observations: readonly Observation[], over: Partial<PodSeen> = {}): PodSeen {
  const side = {state: 'read', answers: []} as const
  return {
    pod: pod('cart-1'),
    agent: SIDECAR,
    rows: [],
    held: [],
    managed: [],
    observations,
    failures: [],
    sides: {agent: side, proxy: side},
    nowMs: NOW,
    thresholds: DEFAULT_THRESHOLDS,
    ...over,
  }
}

function texts(said: Judged): readonly string[] | Judged {
  return isEvaluated(said) ? said.map(({severity, message}) => `${severity}: ${message}`) : said
}

const KNOWN = istiod('istiod-0', {'cart-1.shop': {types: [SYNCED]}})
const UNKNOWN = istiod('istiod-1', {'web-1.shop': {types: [SYNCED]}, 'cart-1.shop-east': {types: []}})

describe('a proxy at the istiods', () => {
  test('that is connected to one of several is connected, and in step', () => {
    const one = seen([speakers('default', 'default'), UNKNOWN, KNOWN])

    expect([agentDisconnected, xdsStale, xdsRejected].map((rule) => rule.judge(one))).toEqual([[], [], []])
  })

  test('that none of them knows is disconnected, and nothing else is said of it', () => {
    const one = seen([speakers('default'), UNKNOWN])

    expect(texts(agentDisconnected.judge(one))).toEqual(['fail: its proxy is not connected to istio-system/istiod-1'])
    expect([xdsStale, xdsRejected].map((rule) => rule.judge(one))).toMatchObject([{cause: 'scope'}, {cause: 'scope'}])
  })

  const failed = failureOf('istiod-syncz', {code: 'timeout', message: 'Cannot read istiod-syncz'})

  test('may be connected to an istiod that did not answer', () => {
    const unknown = seen([UNKNOWN], {failures: [failed]})
    const known = seen([KNOWN], {failures: [failed]})

    for (const rule of [agentDisconnected, xdsStale, xdsRejected] as const) {
      expect(rule.judge(unknown)).toEqual({cause: 'failed', reason: 'Cannot read istiod-syncz'})
      expect(rule.judge(known)).toEqual([])
    }
  })

  test.each([
    ['forbidden', 'forbidden'],
    ['unauthorized', 'forbidden'],
    ['path-unknown', 'scope'],
    ['no-source', 'scope'],
    ['port-closed', 'failed'],
  ] as const)('of which nobody may or can tell (%s) is not evaluated: %s', (code, cause) => {
    expect(agentDisconnected.judge(seen([], {failures: [{...failed, code}]}))).toMatchObject({cause})
  })

  test('was not asked for, or is of a kind that no istiod configures', () => {
    expect(agentDisconnected.judge(seen([]))).toMatchObject({cause: 'scope'})
    expect(agentDisconnected.judge(seen([UNKNOWN], {agent: AGENT}))).toBeUndefined()
  })

  test.each<[string, Partial<Agent>, string]>([
    ['of a revision that none of them has', {revision: 'canary'}, 'no istiod that was asked is of its revision canary'],
    ['of another CA', {trustSource: 'SPIRE'}, 'it may be of another control plane: its certificates are of SPIRE'],
    [
      'without a proxy, whose application has not asked yet',
      {dialect: 'none'},
      'a proxyless agent is connected only while its application asks for configuration',
    ],
    [
      'of a control plane in another namespace',
      {discovery: {address: 'istiod.other-mesh.svc:15012'}},
      'its istiod is another one: istiod.other-mesh.svc',
    ],
    [
      'of a control plane outside the cluster',
      {discovery: {address: 'https://mesh.example.com:15012'}},
      'its istiod is another one: mesh.example.com',
    ],
  ])('that none knows and that is %s may be none of theirs', (_, over, reason) => {
    const agent = {...SIDECAR, ...over}

    expect(agentDisconnected.judge(seen([speakers('default'), UNKNOWN], {agent}))).toEqual({cause: 'scope', reason})
    expect(agentDisconnected.judge(seen([speakers('default'), KNOWN], {agent}))).toEqual([])
  })

  test('that names the istiod of this namespace is theirs', () => {
    const agent = {...SIDECAR, discovery: {address: 'istiod-canary.istio-system.svc.cluster.local:15012'}}

    expect(agentDisconnected.judge(seen([speakers('default'), UNKNOWN], {agent}))).toHaveLength(1)
  })

  test('of the same name in another cluster is another one', () => {
    const of = (clusterId: string): PodSeen =>
      seen([istiod('istiod-0', {'cart-1.shop': {clusterId, types: [SYNCED]}})], {
        pod: pod('cart-1', {containers: [container('istio-proxy', {env: {ISTIO_META_CLUSTER_ID: 'east'}})]}),
      })

    expect(agentDisconnected.judge(of('west'))).toHaveLength(1)
    expect(agentDisconnected.judge(of('east'))).toEqual([])
  })
})

describe('what was sent', () => {
  const judgeTypes = (rule: PodRule, ...types: readonly TypeSync[]): unknown =>
    texts(rule.judge(seen([istiod('istiod-0', {'cart-1.shop': {types}})])))

  test('and not taken up is stale, with its age where that is known', () => {
    const sentMs = NOW - 300_000

    expect(
      judgeTypes(
        xdsStale,
        SYNCED,
        {type: 'LDS', state: 'STALE', sentMs, neverAcked: true},
        {type: 'EDS', state: 'STALE'},
      ),
    ).toEqual([
      'fail: LDS from istio-system/istiod-0: sent 5 min ago, and none of this type was ever taken up',
      'fail: EDS from istio-system/istiod-0: sent, and not taken up',
    ])
  })

  test('within the last two seconds is on its way', () => {
    expect(judgeTypes(xdsStale, {type: 'LDS', state: 'STALE', sentMs: NOW - 1999})).toEqual([])
    expect(judgeTypes(xdsStale, {type: 'LDS', state: 'STALE', sentMs: NOW - 2000})).toHaveLength(1)
  })

  test('and refused is rejected with the words of the proxy, and not stale', () => {
    const refused: TypeSync = {type: 'LDS', state: 'ERROR', error: 'duplicate\nlistener'}

    expect(judgeTypes(xdsRejected, refused)).toEqual([
      'fail: LDS from istio-system/istiod-0: the proxy refused it: duplicate listener',
    ])
    expect(judgeTypes(xdsStale, refused)).toEqual([])
  })

  test('to a connection that was closed since does not count beside the new one', () => {
    const old: ProxySync = {types: [{type: 'LDS', state: 'STALE', sentMs: NOW - 300_000}]}
    const fresh: ProxySync = {types: [{type: 'LDS', state: 'SYNCED', sentMs: NOW - 100_000}]}
    const both = [istiod('istiod-0', {'cart-1.shop': old}), istiod('istiod-1', {'cart-1.shop': fresh})]

    expect(xdsStale.judge(seen(both))).toEqual([])
    expect(xdsStale.judge(seen(both.toReversed()))).toEqual([])
  })
})

/** What the tally makes of pods that were looked at. */
function tallied(...items: readonly {readonly pod: Pod; readonly agent: Agent; readonly mesh?: MeshFacts}[]): MeshSeen {
  const tally = new MeshTally()
  for (const {pod: one, agent, mesh} of items)
    tally.take(checkItem(one.name, {pod: one, agent, ...(mesh !== undefined && {mesh})}))
  return tally.seen()
}

function judgeFleet(rule: typeof versionSkew, mesh: MeshSeen): unknown {
  return texts(rule.judge({mesh, roots: {roots: [], blind: [], notRead: [], answers: []} as never}))
}

function facts(agent: Agent, observations: readonly Observation[], over: Partial<PodSeen> = {}): MeshFacts {
  return findMeshFacts(seen(observations, {agent, pod: pod('agent-1'), ...over}))
}

describe('nodes', () => {
  const lost = facts(ZTUNNEL, [UNKNOWN])
  const on = (node: string, name = 'agent-1'): Pod => pod(name, {node})
  const captured = {...AGENT, kind: 'istio-ambient', dialect: 'ztunnel', capturedAs: 'cart'} as const

  test('a ztunnel that no istiod knows is one finding a node, with the pods behind it', () => {
    const mesh = tallied(
      {pod: on('n1'), agent: ZTUNNEL, mesh: lost},
      {pod: on('n1', 'cart-1'), agent: captured},
      {pod: on('n1', 'cart-2'), agent: captured},
      {pod: on('n2', 'cart-3'), agent: captured},
    )

    expect(judgeFleet(ztunnelDisconnected, mesh)).toEqual([
      'fail: ztunnel of node n1 (shop/agent-1): its proxy is not connected to istio-system/istiod-1; 2 captured pods behind it',
    ])
  })

  test('what stood at one of two readings is no trouble', () => {
    const second = findMeshFacts(
      seen([UNKNOWN], {agent: ZTUNNEL}),
      facts(ZTUNNEL, [istiod('i', {'agent-1.shop': {types: []}})]),
    )

    expect([lost.service?.troubles.length, second.service?.troubles.length]).toEqual([1, 0])
    expect([isUnsettled(lost), isUnsettled(second)]).toEqual([true, false])
  })

  test('a ztunnel that is replaced on its node by one that works is no trouble', () => {
    const well = facts(ZTUNNEL, [istiod('istiod-0', {'agent-1.shop': {types: []}})])

    const mesh = tallied(
      {pod: on('n1', 'old'), agent: ZTUNNEL, mesh: lost},
      {pod: on('n1'), agent: ZTUNNEL, mesh: well},
    )

    expect(judgeFleet(ztunnelDisconnected, mesh)).toEqual([])
  })

  test('an agent that does not run is told without a question', () => {
    const failure = failureOf('debug', {code: 'container-not-running', message: 'Container istio-proxy is not running'})
    const service = stoppedService(ZTUNNEL, failure)

    const mesh = tallied({pod: on('n1'), agent: ZTUNNEL, mesh: {controlPlanes: [], ...(service && {service})}})

    expect(judgeFleet(ztunnelDisconnected, mesh)).toEqual([
      'fail: ztunnel of node n1 (shop/agent-1): Container istio-proxy is not running; 0 captured pods behind it',
    ])
    expect(stoppedService(AGENT, failure)).toBeUndefined()
  })

  test.each([
    ['nobody may ask istiod', [failureOf('istiod-syncz', {code: 'forbidden'})], 'forbidden'],
    ['istiod does not answer', [failureOf('istiod-syncz', {code: 'timeout'})], 'failed'],
  ] as const)('a ztunnel of which nothing is known, since %s, is not passed', (_, failures, cause) => {
    const mesh = tallied({pod: on('n1'), agent: ZTUNNEL, mesh: facts(ZTUNNEL, [], {failures})})

    expect(judgeFleet(ztunnelDisconnected, mesh)).toMatchObject({cause})
  })

  test('without any such agent among the pods nothing is said', () => {
    const mesh = tallied({pod: on('n1'), agent: SIDECAR, mesh: facts(SIDECAR, [KNOWN])})

    for (const rule of [ztunnelDisconnected, cniNotReady, nodeWithoutAgent])
      expect(judgeFleet(rule, mesh)).toMatchObject({cause: 'scope'})
  })

  test.each<[string, Omit<Extract<Observation, {type: 'cni'}>, 'type' | 'by'>, string]>([
    ['its plugin', {installed: false}, 'its plugin is not installed on the node'],
    ['its ztunnel', {installed: true, ztunnelConnected: false}, "the node's ztunnel is not connected to it"],
  ])('an istio-cni without %s is one finding a node', (_, gauges, text) => {
    const mesh = facts(CNI, [{type: 'cni', by: {source: 'cni-metrics', route: 'port-forward'}, ...gauges}])

    expect(
      judgeFleet(cniNotReady, tallied({pod: on('n1'), agent: CNI, mesh}, {pod: on('n1', 'a'), agent: SIDECAR})),
    ).toEqual([`fail: istio-cni of node n1 (shop/agent-1): ${text}; 1 pod with an agent on it`])
  })

  test('an istio-cni outside an ambient mesh is well without a ztunnel', () => {
    const mesh = facts(CNI, [{type: 'cni', by: {source: 'cni-metrics', route: 'port-forward'}, installed: true}])

    expect(judgeFleet(cniNotReady, tallied({pod: on('n1'), agent: CNI, mesh}))).toEqual([])
  })

  test.each([
    [
      'is a failure',
      {ready: 1, isRollingOut: false},
      ['fail: DaemonSet istio-system/cni (istio-cni) is ready on 1 of 2 nodes; none was seen on n2'],
    ],
    [
      'is a warning while it is rolled out',
      {ready: 1, isRollingOut: true},
      [
        'warn: DaemonSet istio-system/cni (istio-cni) is ready on 1 of 2 nodes, while it is rolled out; none was seen on n2',
      ],
    ],
    ['that has one is well, in a rollout too', {ready: 2, isRollingOut: true}, []],
  ] as const)('a node of a DaemonSet that lacks its agent %s', (_, counts, expected) => {
    const by = {source: 'daemon-set', route: 'api'} as const
    const set: Observation = {type: 'daemon-set', by, namespace: 'istio-system', name: 'cni', desired: 2, ...counts}
    const mesh = facts(CNI, [set])

    expect(isUnsettled(mesh)).toBe(counts.ready < 2)
    expect(
      judgeFleet(nodeWithoutAgent, tallied({pod: on('n1'), agent: CNI, mesh}, {pod: on('n2', 'a'), agent: SIDECAR})),
    ).toEqual(expected)
  })

  test('of several readings of a DaemonSet the best one counts, and nodes of another cluster are none of its', () => {
    const by = {source: 'daemon-set', route: 'api'} as const
    const of = (ready: number): MeshFacts =>
      facts(CNI, [
        {type: 'daemon-set', by, namespace: 'istio-system', name: 'cni', desired: 3, ready, isRollingOut: false},
      ])
    const pods = [1, 2, 0].map((ready, index) => ({
      pod: pod(`cni-${index}`, {node: `n${index}`, context: 'east'}),
      agent: CNI,
      mesh: of(ready),
    }))

    const mesh = tallied(...pods, {pod: pod('a', {node: 'n9', context: 'west'}), agent: SIDECAR})

    expect(judgeFleet(nodeWithoutAgent, mesh)).toEqual([
      'fail: DaemonSet east/istio-system/cni (istio-cni) is ready on 2 of 3 nodes',
    ])
  })

  test('an agent that its kubelet finds not ready is one finding a node, whatever istiod says', () => {
    const unready = pod('agent-1', {node: 'n1', containers: [container('istio-proxy', {ready: false})]})
    const mesh = facts(ZTUNNEL, [istiod('istiod-0', {'agent-1.shop': {types: []}})], {pod: unready})

    expect(judgeFleet(ztunnelDisconnected, tallied({pod: unready, agent: ZTUNNEL, mesh}))).toEqual([
      'fail: ztunnel of node n1 (shop/agent-1): its kubelet finds container istio-proxy not ready; 0 captured pods behind it',
    ])
  })

  test('a DaemonSet that may not be read is not evaluated', () => {
    const mesh = facts(CNI, [], {failures: [failureOf('daemon-set', {code: 'forbidden', message: 'Cannot get it'})]})

    expect(judgeFleet(nodeWithoutAgent, tallied({pod: on('n1'), agent: CNI, mesh}))).toEqual({
      cause: 'forbidden',
      reason: 'Cannot get it',
    })
  })

  test('nodes of the same name in two clusters are two', () => {
    const mesh = tallied(
      {pod: pod('z', {node: 'n1', context: 'east'}), agent: ZTUNNEL, mesh: lost},
      {pod: pod('z', {node: 'n1', context: 'west'}), agent: ZTUNNEL, mesh: lost},
    )

    expect(judgeFleet(ztunnelDisconnected, mesh)).toHaveLength(2)
  })
})

describe('versions', () => {
  const skew = (agent: string, controlPlane: string): unknown =>
    judgeFleet(versionSkew, {
      versions: [{agent, controlPlane, pods: 12, examples: [{namespace: 'shop', name: 'cart-1'}]}],
      controlPlanes: [],
      nodes: [],
      daemonSets: [],
      noDaemonSets: [],
    })
  const warning = (text: string): readonly string[] => [`warn: 12 pods (shop/cart-1, …): ${text}`]

  test.each([
    ['1.31.0', '1.31.2', []],
    ['1.31.2', '1.31.0', []],
    ['1.30.9', '1.31.0', []],
    ['1.29.4', '1.31.0', warning("version 1.29.4, 2 minor versions behind the control plane's 1.31.0")],
    ['1.32.0', '1.31.0', warning("version 1.32.0, newer than the control plane's 1.31.0")],
    ['1.31-alpha.eed52ebb66ad', '1.32-dev', []],
    ['1.30.1', '2.0.0', warning("version 1.30.1, a major version behind the control plane's 2.0.0")],
    ['2.0.0', '1.31.0', warning("version 2.0.0, newer than the control plane's 1.31.0")],
  ])('%s under a control plane of %s', (agent, controlPlane, expected) => {
    expect(skew(agent, controlPlane)).toEqual(expected)
  })

  test.each(['latest', '65536.65536.65536', ''])('%s is no version to judge by', (agent) => {
    expect(skew(agent, '1.31.0')).toMatchObject({cause: 'scope'})
  })

  test('a proxy counts against its own istiod, else against the one that fits it best', () => {
    const old = istiod('old', {'cart-1.shop': {version: '1.28.1', types: []}}, '1.28.0')
    const canary = istiod('canary', {}, '1.31.0')
    const own = facts(SIDECAR, [old, canary], {pod: pod('cart-1')})
    const elsewhere = {controlPlanes: ['1.31.0', '1.28.0'], version: {agent: '1.28.1'}}
    const behind = {controlPlanes: ['1.30.0', '1.31.0'], version: {agent: '1.28.1'}}

    expect(own.version).toEqual({agent: '1.28.1', controlPlane: '1.28.0'})
    for (const mesh of [own, elsewhere])
      expect(judgeFleet(versionSkew, tallied({pod: pod('cart-1'), agent: SIDECAR, mesh}))).toEqual([])
    expect(judgeFleet(versionSkew, tallied({pod: pod('cart-1'), agent: SIDECAR, mesh: behind}))).toHaveLength(1)
  })

  test('many pods of one version are one finding, and the version of an istiod that is selected counts', () => {
    const mesh = {controlPlanes: [], version: {agent: '1.28.1'}}
    const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => ({pod: pod(name), agent: SIDECAR, mesh}))

    expect(
      judgeFleet(
        versionSkew,
        tallied(...pods, {pod: pod('istiod'), agent: {...AGENT, kind: 'istiod', version: '1.31.0'}}),
      ),
    ).toEqual([
      "warn: 5 pods (shop/a, shop/b, shop/c, …): version 1.28.1, 3 minor versions behind the control plane's 1.31.0",
    ])
  })
})
