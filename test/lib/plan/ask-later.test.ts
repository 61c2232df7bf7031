import {expect, test} from '@jest/globals'
import type {CertificatesManaged} from '../../../src/lib/domain/kubernetes-seen.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import type {Source} from '../../../src/lib/domain/question.ts'
import {wordsOf} from '../../../src/lib/domain/question.ts'
import type {Plan, Wants} from '../../../src/lib/plan/plan.ts'
import {planQuestions, sharedKey} from '../../../src/lib/plan/plan-questions.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {meshPod} from '../../support/mesh-pods.ts'
import {BOTH} from '../../support/wants.ts'

const WITH_ISTIOD: Wants = {...BOTH, istioNamespace: 'mesh'}
const WITHOUT_ISTIOD: Wants = {...WITH_ISTIOD, exclude: ['istiod-config-dump']}
const GATEWAY = meshPod({}, {name: 'gw-1', namespace: 'shop', labels: {istio: 'ingressgateway'}})
const WAYPOINT = meshPod({}, {name: 'wp-1', labels: {'gateway.istio.io/managed': 'istio.io-mesh-controller'}})
const SECRETS: Partial<Wants> = {kubernetesSecrets: true}

function dumpWith(...names: readonly string[]): Observation {
  const items = names.map((name) => ({name, type: 'Unknown', certificates: [], keyFound: false, notes: []}) as const)
  const by = {source: 'envoy-config-dump', route: 'port-forward'} as const
  return {type: 'secrets', by, side: 'proxy', items, complete: true, notes: []}
}

function page(namespace: string, next?: string): CertificatesManaged {
  const by = {source: 'cert-manager', route: 'api'} as const
  return {type: 'certificates-managed', by, namespace, certificates: [], ...(next !== undefined && {next})}
}

function plan(round: number, seen: readonly Observation[], wants: Partial<Wants> = {}, of: Pod = GATEWAY): Plan {
  const {agent} = recognise(of, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  return planQuestions({pod: of, agent: agent!, wants: {...WITHOUT_ISTIOD, ...wants}, observations: seen, round})
}

function paths({questions}: Plan, source: Source): readonly string[] {
  return questions.filter((one) => one.source === source).flatMap(({forms}) => forms.flatMap(wordsOf))
}

const list = (namespace: string): string => `/apis/cert-manager.io/v1/namespaces/${namespace}/certificates?limit=500`
const secret = (path: string): string => `/api/v1/namespaces/${path.replace('/', '/secrets/')}`

test.each([GATEWAY, meshPod({}, {namespace: 'shop'}), {...WAYPOINT, namespace: 'shop'}])(
  'Certificates are asked for once the proxy has told its credentials, in each namespace once (%#)',
  (of) => {
    const names = ['default', 'kubernetes://a', 'kubernetes://shop/b', 'kubernetes-gateway://certs/c']

    expect(paths(plan(0, [], {}, of), 'cert-manager')).toEqual([])
    expect(paths(plan(1, [dumpWith(...names)], {}, of), 'cert-manager')).toEqual([list('shop'), list('certs')])
    expect(paths(plan(2, [dumpWith(...names), page('shop'), page('certs')], {}, of), 'cert-manager')).toEqual([])
  },
)

test.each([
  [
    'secrets that istiod makes from nothing of cert-manager’s',
    ['default', 'configmap://shop/ca', 'kubernetes://a-cacert', 'invalid://x'],
  ],
  ['names that no object can have', ['kubernetes://..', 'kubernetes://a/../b', 'kubernetes://a?limit=0']],
])('nobody is asked for %s', (_what, names) => {
  expect(
    plan(1, [dumpWith(...names)], {...SECRETS, exclude: ['istiod-config-dump', 'kubernetes-secret']}).questions,
  ).toEqual([])
})

test('all pods of the run share a list, each page of it by itself', () => {
  const seen = [dumpWith('kubernetes://a')]
  const question = plan(1, seen).questions.find(({source}) => source === 'cert-manager')!
  const second = plan(2, [...seen, page('shop', 't1')]).questions.find(({source}) => source === 'cert-manager')!

  expect(sharedKey(GATEWAY, question)).toBe(sharedKey({...GATEWAY, name: 'gw-2'}, question))
  expect(sharedKey(GATEWAY, question)).not.toBe(sharedKey({...GATEWAY, context: 'other'}, question))
  expect(sharedKey(GATEWAY, second)).not.toBe(sharedKey(GATEWAY, question))
  expect(question.routes).toEqual(['api'])
})

test('a list is followed page by page, a round each, and so far and no further', () => {
  const seen = [dumpWith('kubernetes://a')]
  const pages = [1, 2, 3, 4].map((number) => page('shop', `t${number}`))
  const at = (round: number): Plan => plan(round, [...seen, ...pages.slice(0, round - 1)])

  expect([2, 3, 4].map((round) => paths(at(round), 'cert-manager'))).toEqual(
    ['t1', 't2', 't3'].map((token) => [`${list('shop')}&continue=${token}`]),
  )
  expect(paths(at(5), 'cert-manager')).toEqual([])
  expect(at(5).failures).toMatchObject([
    {
      source: 'cert-manager',
      side: 'agent',
      code: 'too-large',
      message: 'Cannot read all Certificates of shop for shop/gw-1: there are more than 2000',
    },
  ])
})

test('a page that could not be had is not asked for again', () => {
  const seen = [dumpWith('kubernetes://a', 'kubernetes://certs/b'), page('shop', 't1'), page('certs')]

  expect(paths(plan(3, seen), 'cert-manager')).toEqual([])
})

test.each<[string, Partial<Wants>]>([
  ['--no-source cert-manager', {exclude: ['cert-manager', 'istiod-config-dump']}],
  ['--source agent-metrics', {sources: ['agent-metrics']}],
  ['--secret default', {secretNames: ['default']}],
])('no Certificate is asked for with %s', (_flag, wants) => {
  expect(paths(plan(1, [dumpWith('kubernetes://a')], wants), 'cert-manager')).toEqual([])
})

test('--source cert-manager asks nobody else of that side', () => {
  const {questions} = plan(1, [dumpWith('kubernetes://a')], {sources: ['cert-manager']})

  expect(questions.map(({source}) => source)).toEqual(['cert-manager'])
  expect(plan(0, [], {sources: ['cert-manager']}).questions.map(({source}) => source)).toEqual(['envoy-config-dump'])
})

test('Secrets are read with their own flag alone, each once, a CA’s with the one it may stand in', () => {
  const names = [
    'default',
    'kubernetes://a',
    'kubernetes-gateway://shop/a',
    'kubernetes://certs/b-cacert',
    'configmap://x/y',
  ]
  const seen = [dumpWith(...names)]

  expect(paths(plan(1, seen), 'kubernetes-secret')).toEqual([])
  expect(paths(plan(1, seen, {sources: ['kubernetes-secret']}), 'kubernetes-secret')).toEqual([])
  expect(paths(plan(1, seen, {sds: true}), 'kubernetes-secret')).toEqual([])
  expect(paths(plan(1, seen, SECRETS), 'kubernetes-secret')).toEqual([
    secret('shop/a'),
    secret('certs/b-cacert'),
    secret('certs/b'),
  ])
  expect(paths(plan(2, seen, SECRETS), 'kubernetes-secret')).toEqual([])
})

test('no key crosses the wire for a secret that is not asked for', () => {
  const seen = [dumpWith('kubernetes://a', 'kubernetes://b')]

  expect(paths(plan(1, seen, {...SECRETS, secretNames: ['kubernetes://b']}), 'kubernetes-secret')).toEqual([
    secret('shop/b'),
  ])
})

test('of very many Secrets some are read, and that is said', () => {
  const seen = [dumpWith(...Array.from({length: 150}, (_, index) => `kubernetes://s${index}`))]

  const made = plan(1, seen, SECRETS)

  expect(paths(made, 'kubernetes-secret')).toHaveLength(100)
  expect(made.failures).toMatchObject([
    {code: 'too-large', source: 'kubernetes-secret', hint: expect.stringContaining('--secret')},
  ])
})

test('where istiod is looked for, objects are asked for beside it: a slow list does not take its time', () => {
  const seen = [dumpWith('kubernetes://a')]
  const found: Observation = {
    type: 'speakers',
    by: {source: 'istiod-config-dump', route: 'api'},
    pods: [{namespace: 'mesh', name: 'istiod-1'}],
  }
  const sources = (round: number, ...more: readonly Observation[]): readonly Source[] =>
    plan(round, [...seen, ...more], {...WITH_ISTIOD, ...SECRETS}).questions.map(({source}) => source)

  expect(sources(1)).toEqual(['istiod-config-dump'])
  expect(sources(2, found)).toEqual(['istiod-config-dump', 'cert-manager', 'kubernetes-secret'])
  expect(sources(3, found, page('shop', 't1'))).toEqual(['cert-manager'])
})

const NO_CONFIG_MAP: Observation = {
  type: 'unusable',
  failure: {side: 'agent', source: 'published-root', stage: 'decode', code: 'not-found', message: 'not found'},
}

test('without a ConfigMap of the roots the cluster’s bundle is asked for, in one version after the other', () => {
  const {questions} = plan(1, [NO_CONFIG_MAP], {}, meshPod())

  expect(questions).toMatchObject([
    {
      source: 'published-root',
      side: 'agent',
      forms: ['v1', 'v1beta1', 'v1alpha1'].map((version, index) => ({
        type: 'api',
        path: `/apis/certificates.k8s.io/${version}/clustertrustbundles/istio.io%3Aistiod-ca%3Aroot-cert`,
        refusals: index === 2 ? [] : [404],
      })),
    },
  ])
  expect(plan(2, [NO_CONFIG_MAP], {}, meshPod()).questions).toEqual([])
})

test('all namespaces share the bundle', () => {
  const [question] = plan(1, [NO_CONFIG_MAP], {}, meshPod()).questions

  expect(sharedKey(meshPod({}, {namespace: 'a'}), question!)).toBe(sharedKey(meshPod({}, {namespace: 'b'}), question!))
})

test.each<[string, Observation, Partial<Wants>, Pod]>([
  ['the ConfigMap is there', dumpWith(), {}, meshPod()],
  ['it is another failure', {...NO_CONFIG_MAP, failure: {...NO_CONFIG_MAP.failure, code: 'forbidden'}}, {}, meshPod()],
  ['the roots are not wanted', NO_CONFIG_MAP, {purpose: 'list'}, meshPod()],
  ['the source is left out', NO_CONFIG_MAP, {exclude: ['published-root']}, meshPod()],
  ['the pod trusts another', NO_CONFIG_MAP, {}, meshPod({env: {FILE_MOUNTED_CERTS: 'true'}})],
])('no bundle is asked for where %s', (_why, seen, wants, of) => {
  expect(paths(plan(1, [seen], wants, of), 'published-root')).toEqual([])
})
