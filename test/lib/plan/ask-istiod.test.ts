import {expect, test} from '@jest/globals'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Speaker} from '../../../src/lib/domain/mesh-seen.ts'
import type {Plan, Wants} from '../../../src/lib/plan/plan.ts'
import {planQuestions, sharedKey} from '../../../src/lib/plan/plan-questions.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {container, meshPod} from '../../support/mesh-pods.ts'
import {pod} from '../../support/pods.ts'
import {BOTH} from '../../support/wants.ts'

const IN_MESH: Wants = {...BOTH, exclude: ['cert-manager'], istioNamespace: 'mesh'}
const GATEWAY = meshPod(
  {},
  {name: 'gw-1', namespace: 'shop', labels: {istio: 'ingressgateway', 'istio.io/rev': 'canary'}},
)
const CAPTURED = pod('rates-1', {
  node: 'node-b',
  serviceAccount: 'rates',
  annotations: {'ambient.istio.io/redirection': 'enabled'},
  containers: [container('app')],
})

function dumpWith(...names: readonly string[]): Observation {
  const items = names.map((name) => ({name, type: 'Unknown', certificates: [], keyFound: false, notes: []}) as const)
  const by = {source: 'envoy-config-dump', route: 'port-forward'} as const
  return {type: 'secrets', by, side: 'proxy', items, complete: true, notes: []}
}

function found(...pods: readonly Speaker[]): Observation {
  return {type: 'speakers', by: {source: 'istiod-config-dump', route: 'api'}, pods}
}

function istiod(name: string, more: Partial<Speaker> = {}): Speaker {
  return {namespace: 'mesh', name, ...more}
}

function plan(
  round: number,
  observations: readonly Observation[] = [],
  wants: Partial<Wants> = {},
  of = GATEWAY,
): Plan {
  const {agent} = recognise(of, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  return planQuestions({pod: of, agent: agent!, wants: {...IN_MESH, ...wants}, observations, round})
}

test.each(['kubernetes://shop-cert', 'kubernetes-gateway://certs/api', 'configmap://shop/ca'])(
  'the control planes are looked for once the proxy has told that it has %s',
  (name) => {
    expect(plan(0).questions.map(({source}) => source)).not.toContain('istiod-config-dump')

    const {questions} = plan(1, [dumpWith('default', name)])

    expect(questions.filter(({source}) => source === 'istiod-config-dump')).toMatchObject([
      {
        source: 'istiod-config-dump',
        side: 'agent',
        forms: [
          {
            type: 'api',
            path: '/api/v1/namespaces/mesh/pods?labelSelector=app%3Distiod&fieldSelector=status.phase%3DRunning',
          },
        ],
      },
    ])
  },
)

test('nobody is looked for where the proxy has nothing from them', () => {
  expect(plan(1, [dumpWith('default', 'ROOTCA', 'file-root:system', 'invalid://x')]).questions).toEqual([])
})

test('every istiod is asked what it serves this proxy, and whom it is connected to, by a forward or by exec', () => {
  const {questions} = plan(2, [
    dumpWith('kubernetes://a'),
    found(istiod('istiod-1'), istiod('istiod-2', {metricsPort: 9090})),
  ])

  const form = {
    type: 'http',
    paths: ['/debug/config_dump?proxyID=gw-1.shop&types=sds', '/debug/connections'],
    bindsToPod: false,
    refusals: [],
  }
  const question = {source: 'istiod-config-dump', side: 'agent', isOwn: true, container: 'discovery'}
  expect(questions).toEqual([
    expect.objectContaining({
      ...question,
      at: {namespace: 'mesh', name: 'istiod-1'},
      forms: [{...form, port: 15_014}],
      routes: ['port-forward', 'exec'],
    }),
    expect.objectContaining({...question, at: {namespace: 'mesh', name: 'istiod-2'}, forms: [{...form, port: 9090}]}),
  ])
  expect(plan(3, [dumpWith('kubernetes://a'), found(istiod('istiod-1'))]).questions).toEqual([])
})

test('where some are of the pod’s revision, only those are asked; a tag in its place leads to all', () => {
  const asked = (...pods: readonly Speaker[]) =>
    plan(2, [dumpWith('kubernetes://a'), found(...pods)]).questions.map(({at}) => at?.name)
  const [old, canary] = [istiod('old', {revision: 'default'}), istiod('new', {revision: 'canary'})]

  expect(asked(old, canary)).toEqual(['new'])
  expect(asked(old, istiod('third', {revision: '1-30'}))).toEqual(['old', 'third'])
})

test('the list of istiods is shared by all pods, what one serves a proxy by none', () => {
  const [list] = plan(1, [dumpWith('kubernetes://a')]).questions
  const [dump] = plan(2, [dumpWith('kubernetes://a'), found(istiod('istiod-1'))]).questions

  expect(sharedKey(GATEWAY, list!)).toBe(sharedKey({...GATEWAY, name: 'gw-2'}, list!))
  expect(sharedKey(GATEWAY, dump!)).toBeUndefined()
  expect(sharedKey(GATEWAY, list!)).not.toBe(sharedKey(GATEWAY, {...list!, source: 'istiod-syncz'}))
})

test.each<[string, Partial<Wants>]>([
  ['--no-source istiod-config-dump', {exclude: ['istiod-config-dump']}],
  ['--source agent-metrics', {sources: ['agent-metrics']}],
  ['only the proxy is wanted', {sides: ['proxy']}],
])('no istiod is looked for where %s', (_name, wants) => {
  const sources = plan(1, [dumpWith('kubernetes://a')], wants).questions.map(({source}) => source)

  expect(sources).not.toContain('istiod-config-dump')
})

test('--source istiod-config-dump leaves the proxy’s side as it is, and asks nothing else of the agent’s', () => {
  const wants: Partial<Wants> = {sources: ['istiod-config-dump']}

  expect(plan(0, [], wants).questions.map(({source}) => source)).toEqual(['envoy-config-dump'])
  expect(plan(1, [dumpWith('kubernetes://a')], wants).questions).toHaveLength(1)
})

test('a captured pod is asked of the ztunnel of its node, whose answer all its pods share', () => {
  const [list, ...more] = plan(0, [], {}, CAPTURED).questions
  const by = {source: 'ztunnel-config-dump', route: 'api'} as const
  const [dump, ...others] = plan(
    1,
    [{type: 'speakers', by, pods: [{namespace: 'mesh', name: 'ztunnel-x'}]}],
    {},
    CAPTURED,
  ).questions

  expect(more).toEqual([])
  expect(list?.forms).toEqual([
    {
      type: 'api',
      path: '/api/v1/namespaces/mesh/pods?labelSelector=app%3Dztunnel&fieldSelector=status.phase%3DRunning%2Cspec.nodeName%3Dnode-b',
    },
  ])
  expect(others).toEqual([])
  expect(dump).toMatchObject({
    at: {namespace: 'mesh', name: 'ztunnel-x'},
    container: 'istio-proxy',
    forms: [{port: 15_000, paths: ['/config_dump']}],
    routes: ['port-forward'],
  })
  expect(sharedKey(CAPTURED, dump!)).toBe(sharedKey({...CAPTURED, name: 'rates-2'}, dump!))
})

test('of another cluster than the first, istiod is asked there', () => {
  const [dump] = plan(
    2,
    [dumpWith('kubernetes://a'), found(istiod('istiod-1'))],
    {},
    {...GATEWAY, context: 'prod'},
  ).questions

  expect(dump?.at).toEqual({context: 'prod', namespace: 'mesh', name: 'istiod-1'})
})
