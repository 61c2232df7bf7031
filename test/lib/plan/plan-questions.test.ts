import {expect, test} from '@jest/globals'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import type {Form, HttpForm, Question, Source} from '../../../src/lib/domain/question.ts'
import type {Plan, Wants} from '../../../src/lib/plan/plan.ts'
import {hasNothingToAsk, planQuestions, portsOf, sharedKey} from '../../../src/lib/plan/plan-questions.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {chain, leaf, proxyHolds} from '../compare/builders.ts'
import {container, meshPod, readPod} from '../../support/mesh-pods.ts'
import {BOTH} from '../../support/wants.ts'

const ZTUNNEL = meshPod({}, {labels: {app: 'ztunnel'}})
const SPIRE = meshPod({env: {WORKLOAD_IDENTITY_SOCKET_FILE: 'spire'}})
const MOUNTED = meshPod({env: {FILE_MOUNTED_CERTS: 'true'}})
const WITH_FILES = meshPod({env: {OUTPUT_CERTS: '/certs'}})
const NODE_AGENT = meshPod({}, {labels: {app: 'nodeagent'}, containers: [container('nodeagent')]})
const OLD_GATEWAY = meshPod(
  {},
  {
    labels: {istio: 'ingressgateway'},
    containers: [container('ingress-sds', {env: {DEBUG_PORT: '8081'}}), container('istio-proxy')],
  },
)
const ADMIN_OFF = meshPod({env: {PROXY_CONFIG: '{"proxyAdminPort":0}'}})

function plan(pod: Pod, wants: Partial<Wants> = {}, round = 0, observations: readonly Observation[] = []): Plan {
  const {agent} = recognise(pod, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  return planQuestions({pod, agent: agent!, wants: {...BOTH, ...wants}, observations, round})
}

function sources({questions}: Plan): readonly Source[] {
  return questions.map(({source}) => source)
}

function question(pod: Pod, source: Source, wants: Partial<Wants> = {}): Question {
  return plan(pod, wants).questions.find((one) => one.source === source)!
}

function http(forms: readonly Form[]): readonly HttpForm[] {
  return forms.filter((form) => form.type === 'http')
}

test.each<[string, Pod, readonly Source[]]>([
  ['a sidecar', meshPod(), ['envoy-config-dump', 'agent-metrics', 'published-root']],
  ['a gateway', readPod('gateways', 'edge-injected'), ['envoy-config-dump', 'agent-metrics', 'published-root']],
  [
    'a gateway with a node agent',
    OLD_GATEWAY,
    ['envoy-config-dump', 'agent-metrics', 'published-root', 'node-agent-debug'],
  ],
  ['a node agent', NODE_AGENT, ['node-agent-debug']],
  ['a gRPC agent', readPod('injected-grpc-agent'), ['agent-metrics', 'published-root', 'agent-files']],
  ['a ztunnel', ZTUNNEL, ['ztunnel-config-dump', 'published-root']],
  ['a proxy of SPIRE', SPIRE, ['envoy-config-dump']],
  ['an agent of mounted files', MOUNTED, ['envoy-config-dump', 'agent-files']],
  ['an agent that writes files', WITH_FILES, ['envoy-config-dump', 'agent-metrics', 'published-root']],
  ['a proxy of Envoy Gateway', readPod('gateways', 'envoy-shop-eg-5d-ccccc'), ['envoy-config-dump']],
])('asks %s, with nothing but both sides wanted', (_what, pod, expected) => {
  const made = plan(pod)

  expect(sources(made)).toEqual(expected)
  expect(made.failures).toEqual([])
})

test.each<[Partial<Wants>, readonly Source[]]>([
  [{sides: ['proxy']}, ['envoy-config-dump']],
  [{sides: ['agent']}, ['agent-metrics', 'published-root']],
  [{purpose: 'list'}, ['envoy-config-dump', 'agent-metrics']],
  [{exclude: ['agent-metrics', 'envoy-config-dump']}, ['published-root']],
  [{sources: ['agent-files']}, ['envoy-config-dump', 'agent-files']],
  [{sources: ['envoy-certs']}, ['agent-metrics', 'published-root', 'envoy-certs']],
  [{sources: ['envoy-certs', 'published-root'], purpose: 'list'}, ['published-root', 'envoy-certs']],
  [{sources: ['agent-files'], exclude: ['agent-files']}, ['envoy-config-dump']],
  [{via: 'exec'}, ['envoy-config-dump', 'agent-metrics', 'published-root', 'agent-files']],
])('with %j asks a sidecar that writes files', (wants, expected) => {
  const made = plan(WITH_FILES, wants)

  expect(sources(made)).toEqual(expected)
  expect(made.failures).toEqual([])
})

test.each([
  ['a sidecar that writes files', WITH_FILES, ['envoy-config-dump', 'published-root', 'istiod-metrics']],
  ['an agent of mounted files', MOUNTED, ['envoy-config-dump', 'istiod-metrics']],
  ['a ztunnel', ZTUNNEL, ['ztunnel-config-dump', 'published-root', 'istiod-metrics']],
])('for mesh roots asks %s who trusts what, and not what its agent has', (_what, pod, expected) => {
  expect(sources(plan(pod, {purpose: 'mesh-roots'}))).toEqual(expected)
})

test.each<[string, Pod, readonly Source[]]>([
  [
    'a sidecar',
    meshPod(),
    ['proxy-ready', 'agent-ready', 'envoy-config-dump', 'agent-metrics', 'published-root', 'istiod-syncz'],
  ],
  [
    'a gRPC agent',
    readPod('injected-grpc-agent'),
    ['agent-ready', 'agent-metrics', 'published-root', 'agent-files', 'istiod-syncz'],
  ],
  ['a ztunnel', ZTUNNEL, ['agent-ready', 'ztunnel-config-dump', 'published-root', 'cluster-rbac', 'istiod-syncz']],
  ['a node agent', NODE_AGENT, ['node-agent-debug', 'cluster-rbac']],
  ['a proxy of SPIRE', SPIRE, ['proxy-ready', 'agent-ready', 'envoy-config-dump', 'istiod-syncz']],
  [
    'an agent without a status port',
    meshPod({}, {annotations: {'status.sidecar.istio.io/port': '0'}}),
    ['proxy-ready', 'envoy-config-dump', 'published-root', 'istiod-syncz'],
  ],
  ['a proxy of Envoy Gateway', readPod('gateways', 'envoy-shop-eg-5d-ccccc'), ['proxy-ready', 'envoy-config-dump']],
  ['a control plane', meshPod({}, {labels: {app: 'istiod'}, containers: [container('discovery')]}), ['agent-ready']],
])('for a check asks %s how it fares, too', (_what, pod, expected) => {
  const made = plan(pod, {purpose: 'check'})

  expect(sources(made)).toEqual(expected)
  expect(made.failures).toEqual([])
})

test('asks each side at its own endpoint whether it is ready', () => {
  const endpointsOf = (pod: Pod, source: Source) =>
    http(question(pod, source, {purpose: 'check'}).forms).map(({port, paths, bindsToPod}) => ({
      port,
      paths,
      bindsToPod,
    }))

  expect(endpointsOf(meshPod(), 'agent-ready')).toEqual([{port: 15_020, paths: ['/healthz/ready'], bindsToPod: true}])
  expect(endpointsOf(readPod('admin-ports', 'a2-env'), 'proxy-ready')).toEqual([
    {port: 15_100, paths: ['/ready'], bindsToPod: false},
  ])
  expect(endpointsOf(ZTUNNEL, 'agent-ready')).toEqual([{port: 15_021, paths: ['/healthz/ready'], bindsToPod: true}])
})

test('has something to ask a control plane for a check alone', () => {
  const istiod = meshPod({}, {labels: {app: 'istiod'}, containers: [container('discovery')]})
  const {agent} = recognise(istiod, builtinProfiles, {}, {nowMs: 0, settleMs: 0})

  expect(
    (['diff', 'list', 'mesh-roots', 'check'] as const).map((purpose) => hasNothingToAsk(agent!, {purpose})),
  ).toEqual([true, true, true, false])
})

test('asks a ztunnel once, whichever side is wanted', () => {
  expect(sources(plan(ZTUNNEL, {sides: ['agent'], purpose: 'list'}))).toEqual(['ztunnel-config-dump'])
  expect(sources(plan(ZTUNNEL, {sides: ['proxy'], purpose: 'list'}))).toEqual(['ztunnel-config-dump'])
})

test('asks nothing new after the first round', () => {
  expect(plan(meshPod(), {}, 1)).toEqual({questions: [], failures: []})
})

/** What an Envoy shows: a chain that begins at 06:00. */
function dumpOf(lastUpdated: string): Observation {
  return proxyHolds([chain('default', [leaf('a1')], {lastUpdated})])
}

const DOUBTED = dumpOf('2026-06-01T05:00:00Z')

test('asks an Envoy what it has loaded once its dump gives a reason, on the port that is open already', () => {
  const made = plan(meshPod(), {}, 1, [DOUBTED])

  expect(made).toMatchObject({
    questions: [
      {
        source: 'envoy-certs',
        side: 'proxy',
        routes: ['port-forward', 'exec'],
        forms: [{type: 'http', port: 15_000, paths: ['/certs']}],
      },
    ],
    failures: [],
  })
  expect(sources(plan(meshPod(), {via: 'exec'}, 1, [DOUBTED]))).toEqual(['envoy-certs'])
})

test.each<[string, Partial<Wants>, number, Observation]>([
  ['its dump gives no reason', {}, 1, dumpOf('2026-06-01T06:02:00Z')],
  ['it was asked before', {}, 2, DOUBTED],
  ['the user named it, so that it was asked at first', {sources: ['envoy-certs', 'envoy-config-dump']}, 1, DOUBTED],
  ['the user named another one', {sources: ['envoy-config-dump']}, 1, DOUBTED],
  ['the user left it out', {exclude: ['envoy-certs']}, 1, DOUBTED],
  ['the proxy is not wanted', {sides: ['agent']}, 1, DOUBTED],
])('does not ask an Envoy what it has loaded where %s', (_what, wants, round, seen) => {
  expect(plan(meshPod(), wants, round, [seen])).toEqual({questions: [], failures: []})
})

test('asks an Envoy for its secrets alone, then by resource, then for all it has', () => {
  const {forms, side, container: into} = question(readPod('admin-ports', 'a2-env'), 'envoy-config-dump')

  expect({side, into}).toEqual({side: 'proxy', into: 'istio-proxy'})
  expect(http(forms).map(({port, paths, refusals}) => ({port, paths, refusals}))).toEqual([
    {
      port: 15_100,
      paths: ['/config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'],
      refusals: [400, 404],
    },
    {
      port: 15_100,
      paths: [
        '/config_dump?resource=dynamic_warming_secrets',
        '/config_dump?resource=dynamic_active_secrets',
        '/config_dump?resource=static_secrets',
      ],
      refusals: [400, 404],
    },
    {port: 15_100, paths: ['/config_dump'], refusals: []},
  ])
})

test('asks an Envoy on the network of its node who it is, after its secrets', () => {
  const {forms} = question(readPod('host-network', 'host-b'), 'envoy-config-dump')

  expect(http(forms).map(({paths}) => paths.at(-1))).toEqual([
    '/config_dump?mask=bootstrap',
    '/config_dump?mask=bootstrap',
    '/config_dump',
  ])
})

test('asks an agent for metrics without a long wait for those of others', () => {
  const [form] = http(question(meshPod(), 'agent-metrics').forms)

  expect(form).toEqual({
    type: 'http',
    port: 15_020,
    paths: ['/stats/prometheus'],
    headers: {'X-Prometheus-Scrape-Timeout-Seconds': '1'},
    bindsToPod: true,
    refusals: [],
  })
})

test.each<[string, Pod, Source, readonly string[]]>([
  ['the admin port', meshPod(), 'envoy-config-dump', ['port-forward', 'exec']],
  ['a ztunnel, whose image has no client', ZTUNNEL, 'ztunnel-config-dump', ['port-forward']],
  ['metrics', meshPod(), 'agent-metrics', ['port-forward', 'pod-proxy', 'exec']],
  [
    'metrics for the pod alone',
    meshPod({env: {METRICS_LOCALHOST_ACCESS_ONLY: 'true'}}),
    'agent-metrics',
    ['port-forward', 'exec'],
  ],
  ['files', MOUNTED, 'agent-files', ['exec']],
  ['published roots', meshPod(), 'published-root', ['api']],
  ['an admin socket', readPod('admin-ports', 'a5-contour'), 'envoy-config-dump', ['exec']],
])('reaches %s of a pod in the right order', (_what, pod, source, routes) => {
  expect(question(pod, source).routes).toEqual(routes)
})

test('narrows the routes to a pod to the one that the user names, and leaves the API alone', () => {
  expect(question(meshPod(), 'agent-metrics', {via: 'pod-proxy'}).routes).toEqual(['pod-proxy'])
  expect(question(meshPod(), 'published-root', {via: 'exec'}).routes).toEqual(['api'])
})

test('asks an admin socket by its path and needs no port for it', () => {
  const made = plan(readPod('admin-ports', 'a5-contour'))

  expect(http(made.questions[0]!.forms).map(({socket}) => socket)).toEqual(Array(3).fill('/admin/admin.sock'))
  expect(portsOf(made.questions)).toEqual([])
})

test.each<[string, Pod, Partial<Wants>, object]>([
  [
    'an admin interface that is off',
    ADMIN_OFF,
    {},
    {
      side: 'proxy',
      source: 'envoy-config-dump',
      stage: 'select',
      code: 'admin-disabled',
      message:
        "Cannot read envoy-config-dump of shop/cart-1: its proxy's admin interface is off: Variable PROXY_CONFIG: proxyAdminPort is 0",
    },
  ],
  [
    'a socket that a forward cannot reach',
    readPod('admin-ports', 'a5-contour'),
    {via: 'port-forward'},
    {
      side: 'proxy',
      source: 'envoy-config-dump',
      stage: 'select',
      code: 'admin-socket',
      message:
        'Cannot read envoy-config-dump of shop/a5-contour: its admin interface is the socket /admin/admin.sock, which only exec reaches',
      hint: 'Ask it with --via exec, or leave --via out',
    },
  ],
  [
    'a port that the pod proxy cannot reach',
    meshPod(),
    {via: 'pod-proxy', sides: ['proxy']},
    {
      side: 'proxy',
      source: 'envoy-config-dump',
      stage: 'select',
      code: 'no-source',
      message: 'Cannot read envoy-config-dump of shop/cart-1: --via pod-proxy cannot reach it',
      hint: 'Ask it with --via port-forward, or leave --via out',
    },
  ],
  [
    'files that were named and are not there',
    meshPod(),
    {sources: ['agent-files'], sides: ['agent']},
    {
      side: 'agent',
      source: 'agent-files',
      stage: 'select',
      code: 'no-source',
      message:
        'Cannot read agent-files of shop/cart-1: it writes and mounts no certificate files (OUTPUT_CERTS is not set)',
    },
  ],
  [
    "a socket that is SPIRE's",
    SPIRE,
    {sds: true, sides: ['agent']},
    {
      side: 'agent',
      source: 'agent-sds',
      stage: 'select',
      code: 'no-source',
      message: "Cannot read agent-sds of shop/cart-1: its SDS socket is not the agent's: SPIRE owns it",
      hint: 'Ask SPIRE itself what it hands out; what the proxy holds is shown without --sds',
    },
  ],
  [
    'an agent without an SDS server',
    readPod('injected-grpc-agent'),
    {sds: true},
    expect.objectContaining({source: 'agent-sds', hint: expect.stringContaining('--source agent-files')}),
  ],
  [
    'a kind of agent whose socket is not known',
    ZTUNNEL,
    {sds: true},
    expect.objectContaining({source: 'agent-sds', message: expect.stringContaining('istio-ztunnel')}),
  ],
  [
    'a socket by another way than exec',
    meshPod(),
    {sds: true, via: 'port-forward'},
    expect.objectContaining({source: 'agent-sds', hint: 'Ask it with --via exec, or leave --via out'}),
  ],
])('says why it cannot ask %s', (_what, pod, wants, failure) => {
  expect(plan(pod, wants).failures).toEqual([failure])
})

test('does not fail a pod for a source that its kind never has', () => {
  expect(plan(ZTUNNEL, {sources: ['agent-files', 'envoy-certs']})).toEqual({questions: [], failures: []})
})

test('does not fail an agent whose status port is off unless its metrics were named', () => {
  const pod = meshPod({}, {annotations: {'status.sidecar.istio.io/port': '0'}})

  expect(plan(pod).failures).toEqual([])
  expect(plan(pod, {sources: ['agent-metrics']}).failures.map(({code}) => code)).toEqual(['no-source'])
})

test('asks a node agent beside a gateway on its own port, through the proxy container', () => {
  const {forms, container: into, routes} = question(OLD_GATEWAY, 'node-agent-debug')

  expect(forms).toEqual([{type: 'http', port: 8081, paths: ['/debug/sds/gateway'], bindsToPod: false, refusals: []}])
  expect(into).toBe('istio-proxy')
  expect(routes).toEqual(['port-forward', 'exec'])
})

test('reads chain and roots of an agent, never its key', () => {
  expect(question(WITH_FILES, 'agent-files', {via: 'exec'}).forms).toEqual([
    {type: 'read-file', paths: ['/certs/cert-chain.pem', '/certs/root-cert.pem']},
  ])
})

test('asks for the secrets of a socket only with its own wish, whatever is named', () => {
  expect(sources(plan(meshPod(), {sources: ['agent-sds']}))).not.toContain('agent-sds')
  expect(question(meshPod(), 'agent-sds', {sds: true})).toMatchObject({
    side: 'agent',
    container: 'istio-proxy',
    routes: ['exec'],
    forms: [
      {
        type: 'sds',
        socketPaths: ['/var/run/secrets/workload-spiffe-uds/socket', '/etc/istio/proxy/SDS', '/var/run/sds/uds_path'],
        resourceNames: ['default', 'ROOTCA'],
      },
    ],
  })
  expect(sources(plan(meshPod(), {sds: true}))).toEqual([
    'envoy-config-dump',
    'agent-metrics',
    'published-root',
    'agent-sds',
  ])
  expect(sources(plan(meshPod(), {sds: true, sides: ['proxy']}))).toEqual(['envoy-config-dump'])
})

test('looks for a gateway’s own socket of old, too', () => {
  const [form] = question(OLD_GATEWAY, 'agent-sds', {sds: true}).forms

  expect(form.type === 'sds' && form.socketPaths).toContain('/var/run/ingress_gateway/sds')
})

test('names every port of a plan once', () => {
  expect(portsOf(plan(meshPod()).questions)).toEqual([15_000, 15_020])
})

test('shares the published roots among the pods of a namespace, and nothing else', () => {
  const one = meshPod()
  const other = {...meshPod(), name: 'cart-2'}
  const elsewhere = {...meshPod(), namespace: 'other'}
  const abroad = {...meshPod(), context: 'prod'}
  const key = (pod: Pod): string | undefined => sharedKey(pod, question(pod, 'published-root'))

  expect(key(one)).toBeDefined()
  expect(key(other)).toBe(key(one))
  expect(new Set([key(one), key(elsewhere), key(abroad)]).size).toBe(3)
  expect(sharedKey(one, question(one, 'envoy-config-dump'))).toBeUndefined()
})

test('asks for a debug path alone', () => {
  const made = plan(meshPod(), {debug: {path: '/server_info'}})

  expect(made.questions).toMatchObject([{source: 'debug', forms: [{port: 15_000, paths: ['/server_info']}]}])
})
