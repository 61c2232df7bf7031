import {expect, test} from '@jest/globals'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {carriesAgent, type Overrides, recognise} from '../../../src/lib/profiles/recognise.ts'
import {container, meshPod, readPod} from '../../support/mesh-pods.ts'
import {pod} from '../../support/pods.ts'

const CLOCK = {nowMs: Date.parse('2026-06-01T00:00:00Z'), settleMs: 2000}

function agentOf(pod: Pod, overrides: Overrides = {}): Agent | undefined {
  return recognise(pod, builtinProfiles, overrides, CLOCK).agent
}

test.each([
  ['ingress-6cf-aaaaa', 'istio-gateway', 'istio-proxy', 15_000],
  ['edge-injected', 'istio-gateway', 'istio-proxy', 15_000],
  ['shop-istio-7b-bbbbb', 'istio-gateway', 'istio-proxy', 15_000],
  ['envoy-shop-eg-5d-ccccc', 'envoy-gateway-proxy', 'envoy', 19_000],
  ['consul-mesh-gateway-0', 'consul-dataplane', 'mesh-gateway', 19_000],
  ['gateway-proxy-1', 'kgateway-proxy', 'kgateway-proxy', 19_000],
])('recognises the gateway %s as %s', (name, kind, agentContainer, port) => {
  expect(agentOf(readPod('gateways', name))).toMatchObject({
    kind,
    container: agentContainer,
    admin: {type: 'port', port},
  })
})

test('describes an injected sidecar whole', () => {
  expect(agentOf(readPod('injected-sidecar'))).toEqual({
    kind: 'istio-sidecar',
    because: 'annotation sidecar.istio.io/status and container istio-proxy',
    container: 'istio-proxy',
    dialect: 'envoy',
    admin: {type: 'port', port: 15_000},
    statusPort: 15_020,
    graceRatio: 0.5,
    trustSource: 'istiod',
    revision: 'default',
    discovery: {},
    version: 'latest',
    warnings: [],
    tellsReady: ['agent', 'proxy'],
    invalidOptions: [],
  })
})

test('describes a proxyless gRPC agent: no admin interface, certificates as files', () => {
  expect(agentOf(readPod('injected-grpc-agent'))).toMatchObject({
    kind: 'istio-grpc-agent',
    dialect: 'none',
    admin: {type: 'off', reason: 'a proxyless gRPC agent runs no Envoy'},
    statusPort: 15_020,
    certificateDir: '/var/lib/istio/data',
    certificateFiles: {chain: 'cert-chain.pem', roots: 'root-cert.pem'},
    trustSource: 'istiod',
  })
})

test.each<[string, Pod, string]>([
  ['a label', meshPod({}, {labels: {app: 'ztunnel'}}), 'istio-ztunnel'],
  ['its arguments', meshPod({args: ['proxy', 'ztunnel']}), 'istio-ztunnel'],
  ['its owner', meshPod({}, {owners: [{kind: 'DaemonSet', name: 'ztunnel', uid: 'u'}]}), 'istio-ztunnel'],
  [
    'a class',
    meshPod({}, {labels: {'gateway.networking.k8s.io/gateway-class-name': 'istio-waypoint'}}),
    'istio-waypoint',
  ],
  ['a command', meshPod({command: ['/usr/local/bin/pilot-agent', 'proxy', 'router']}), 'istio-gateway'],
  ['a variable', meshPod({env: {DISABLE_ENVOY: 'true'}}), 'istio-grpc-agent'],
  [
    'a list with commas',
    meshPod({}, {annotations: {'inject.istio.io/templates': 'sidecar, gateway'}}),
    'istio-gateway',
  ],
  ['a JSON list', meshPod({}, {annotations: {'inject.istio.io/templates': '["gateway"]'}}), 'istio-gateway'],
  ['its name', meshPod({args: ['proxy', 'sidecar']}, {labels: {istio: 'ingressgateway'}}), 'istio-sidecar'],
])('tells the kind by %s, though the container is always istio-proxy', (_by, pod, kind) => {
  expect(agentOf(pod)?.kind).toBe(kind)
})

test('recognises the node agent of old Istio', () => {
  const pod = meshPod({}, {labels: {app: 'nodeagent'}, containers: [container('nodeagent')]})

  expect(agentOf(pod)).toMatchObject({kind: 'istio-nodeagent', dialect: 'none', admin: {type: 'off'}})
})

test('says that a sidecar is native, and takes no init container that ends for an agent', () => {
  const native = meshPod({}, {containers: [container('istio-proxy', {role: 'sidecar'}), container('cart')]})
  const ending = meshPod({}, {containers: [container('istio-proxy', {role: 'init'}), container('cart')]})

  expect(agentOf(native)?.because).toBe('container istio-proxy (native sidecar)')
  expect(carriesAgent(ending, builtinProfiles)).toBe(false)
})

test('finds a renamed container in the annotation that the injector wrote', () => {
  const status = JSON.stringify({
    initContainers: ['mesh-init'],
    containers: ['extra', 'mesh-proxy'],
    revision: 'canary',
  })
  const pod = meshPod(
    {},
    {
      annotations: {'sidecar.istio.io/status': status},
      containers: [
        container('mesh-init', {role: 'init'}),
        container('extra'),
        container('mesh-proxy', {args: ['proxy', 'sidecar']}),
      ],
    },
  )

  expect(agentOf(pod)).toMatchObject({kind: 'istio-sidecar', container: 'mesh-proxy', revision: 'canary'})
})

test('takes the container that the user names, whatever it is called', () => {
  const sidecar = meshPod({}, {containers: [container('cart'), container('edge')]})
  const gateway = meshPod({}, {labels: {kgateway: 'kube-gateway'}, containers: [container('edge')]})

  expect(agentOf(sidecar)).toBeUndefined()
  expect(agentOf(sidecar, {container: 'edge'})).toMatchObject({kind: 'istio-sidecar', container: 'edge'})
  expect(agentOf(gateway, {container: 'edge'})).toMatchObject({kind: 'kgateway-proxy', container: 'edge'})
  expect(recognise(sidecar, builtinProfiles, {container: 'proxy'}, CLOCK).skip?.message).toBe(
    'shop/cart-1 has no container proxy: it has only cart, edge',
  )
})

test.each([
  ['a1-annotation', 19_000],
  ['a2-env', 15_100],
  ['a3-args', 15_200],
  ['a4-default', 15_000],
  ['a6-bad-annotation', 15_000],
])('finds the admin port of %s', (name, port) => {
  expect(agentOf(readPod('admin-ports', name))?.admin).toEqual({type: 'port', port})
})

test('finds the socket of an admin interface where its volume is mounted', () => {
  const contour = readPod('admin-ports', 'a5-contour')

  expect(agentOf(contour)).toMatchObject({kind: 'contour-envoy', admin: {type: 'socket', path: '/admin/admin.sock'}})
})

test('warns of an annotation that cannot be read', () => {
  expect(agentOf(readPod('admin-ports', 'a6-bad-annotation'))?.warnings).toEqual([
    'Annotation proxy.istio.io/config cannot be read as YAML: tab characters must not be used in indentation (line 2)',
  ])
})

test.each(['abc', '70000', '-1', '15000.5', '[15000]'])(
  'warns of an admin port %s and takes the next source',
  (value) => {
    const annotations = {'proxy.istio.io/config': `proxyAdminPort: ${value}`}

    const agent = agentOf(meshPod({env: {PROXY_CONFIG: '{"proxyAdminPort":15100}'}}, {annotations}))

    expect(agent?.admin).toEqual({type: 'port', port: 15_100})
    expect(agent?.warnings).toHaveLength(1)
    expect(agent?.warnings[0]).toMatch(/^Annotation proxy\.istio\.io\/config: proxyAdminPort /)
  },
)

test('takes an admin port 0 for off, since Envoy then takes any port', () => {
  const agent = agentOf(meshPod({env: {PROXY_CONFIG: '{"proxyAdminPort":0}'}}))

  expect(agent?.admin).toEqual({type: 'off', reason: 'Variable PROXY_CONFIG: proxyAdminPort is 0'})
})

test('lets the pod say its admin port before a flag, and a flag before the default', () => {
  expect(agentOf(readPod('admin-ports', 'a2-env'), {adminPort: 1})?.admin).toEqual({type: 'port', port: 15_100})
  expect(agentOf(readPod('admin-ports', 'a4-default'), {adminPort: 1})?.admin).toEqual({type: 'port', port: 1})
})

test('reads an argument inside a shell text', () => {
  const args = ['-ec', 'consul-dataplane -addresses=10.0.0.1 -envoy-admin-bind-port=19001']
  const pod = meshPod({}, {containers: [container('consul-dataplane', {command: ['/bin/sh'], args})]})

  expect(agentOf(pod)?.admin).toEqual({type: 'port', port: 19_001})
})

test('has no status port where the pod switches it off', () => {
  expect(agentOf(meshPod({}, {annotations: {'status.sidecar.istio.io/port': '0'}}))?.statusPort).toBeUndefined()
  expect(agentOf(meshPod({}, {annotations: {'status.sidecar.istio.io/port': '15029'}}))?.statusPort).toBe(15_029)
  expect(agentOf(meshPod({args: ['proxy', 'sidecar', '--statusPort=15030']}))?.statusPort).toBe(15_030)
})

test.each([
  [{'istio.io/rev': 'a'}, {'istio.io/rev': 'c', 'sidecar.istio.io/status': '{"revision":"b"}'}, 'a'],
  [{}, {'istio.io/rev': 'c', 'sidecar.istio.io/status': '{"revision":"b"}'}, 'b'],
  [{}, {'istio.io/rev': 'c', 'sidecar.istio.io/status': '{"revision'}, 'c'],
  [{}, {}, undefined],
])('reads the revision from labels %j and annotations %j', (labels, annotations, revision) => {
  expect(agentOf(meshPod({}, {labels, annotations}))?.revision).toBe(revision)
})

test.each([
  ['registry.example:5000/istio/proxyv2:1.30.1-distroless@sha256:00', '1.30.1'],
  ['registry.example:5000/istio/proxyv2', undefined],
  ['registry.example/istio/proxyv2@sha256:00', undefined],
  ['proxyv2:1.31-alpha.0', '1.31-alpha.0'],
])('reads the version of image %s as %s', (image, version) => {
  expect(agentOf(meshPod({image}))?.version).toBe(version)
})

test('reads the grace ratio, and warns of one that is no share', () => {
  expect(agentOf(meshPod({env: {SECRET_GRACE_PERIOD_RATIO: '0.2'}}))?.graceRatio).toBe(0.2)
  expect(agentOf(meshPod({env: {SECRET_GRACE_PERIOD_RATIO: '20%'}}))).toMatchObject({
    graceRatio: 0.5,
    warnings: ['Variable SECRET_GRACE_PERIOD_RATIO says 20%, which is no share of a lifetime'],
  })
})

test('takes a relative certificate directory from the root, and refuses one that is not resolved', () => {
  expect(agentOf(meshPod({env: {OUTPUT_CERTS: './out-certs/../certs'}}))?.certificateDir).toBe('/certs')
  expect(agentOf(meshPod({env: {OUTPUT_CERTS: '/certs/$(POD_NAME)'}}))).toMatchObject({
    warnings: ['Variable OUTPUT_CERTS is no directory that can be read'],
  })
  expect(agentOf(meshPod({env: {OUTPUT_CERTS: '/a\nb'}}))?.certificateDir).toBeUndefined()
})

const CREDENTIALS = {mounts: [{name: 'workload-certs', path: '/var/run/secrets/workload-spiffe-credentials/'}]}

test('knows mounted workload certificates from the empty volume that Istio puts there', () => {
  const mounted = agentOf(meshPod(CREDENTIALS, {volumes: {'workload-certs': 'secret'}}))
  const empty = agentOf(meshPod(CREDENTIALS, {volumes: {'workload-certs': 'emptyDir'}}))

  expect(mounted).toMatchObject({
    trustSource: 'mounted files',
    certificateDir: '/var/run/secrets/workload-spiffe-credentials',
  })
  expect(empty?.trustSource).toBe('istiod')
  expect(empty?.certificateDir).toBeUndefined()
})

test('knows the file names of certificates that GKE mounts', () => {
  const mounts = [{name: 'gke-workload-certificates', path: '/var/run/secrets/workload-spiffe-credentials'}]

  const agent = agentOf(meshPod({mounts}, {volumes: {'gke-workload-certificates': 'csi'}}))

  expect(agent?.certificateFiles).toEqual({chain: 'certificates.pem', roots: 'ca_certificates.pem'})
})

test.each<[string, Parameters<typeof meshPod>]>([
  ['SPIRE', [{mounts: [{name: 's', path: '/var/run/secrets/workload-spiffe-uds'}]}, {volumes: {s: 'csi'}}]],
  ['istiod', [{mounts: [{name: 's', path: '/var/run/secrets/workload-spiffe-uds'}]}, {volumes: {s: 'emptyDir'}}]],
  ['istiod', [{mounts: [{name: 'constructor', path: '/var/run/secrets/workload-spiffe-uds'}]}]],
  ['SPIRE', [{env: {WORKLOAD_IDENTITY_SOCKET_FILE: 'spire-agent.sock'}}]],
  ['istiod', [{env: {WORKLOAD_IDENTITY_SOCKET_FILE: 'socket'}}]],
  ['mounted files', [{env: {FILE_MOUNTED_CERTS: 'true'}}]],
  ['mounted files', [{env: {PROV_CERT: '/etc/istio/certs'}}]],
  ['another CA', [{env: {CA_PROVIDER: 'GoogleCA'}}]],
  ['istiod', [{env: {CA_PROVIDER: 'Citadel'}}]],
  ['another CA', [{env: {PILOT_CERT_PROVIDER: 'custom'}}]],
  ['istiod', [{env: {PILOT_CERT_PROVIDER: 'istiod'}}]],
  ['another CA', [{env: {ISTIO_META_CERT_SIGNER: 'clusterissuers.example'}}]],
  ['another CA', [{env: {CA_ADDR: 'https://ca.example:443'}}]],
  ['istiod', [{env: {CA_ADDR: 'istiod-1-30.istio-system.svc:15012'}}]],
  ['istiod', [{env: {CA_ADDR: 'cert-manager-istio-csr.cert-manager.svc:443'}}]],
  ['istiod', [{env: {CA_ADDR: 'mesh.example:15012', PROXY_CONFIG: '{"discoveryAddress":"mesh.example:15012"}'}}]],
])('says that %s hands out the certificates', (trustSource, args) => {
  expect(agentOf(meshPod(...args))?.trustSource).toBe(trustSource)
})

test('warns of a port name that two containers share', () => {
  expect(agentOf(readPod('host-network', 'dup-names'))?.warnings).toEqual([
    'Port name metrics is used by containers cart (8080) and istio-proxy (15090): by name, Kubernetes takes the first',
  ])
})

test('warns of an agent port that the application declares too', () => {
  expect(agentOf(readPod('host-network', 'dup-numbers'))?.warnings).toEqual([
    'Port 15000 of container istio-proxy is declared by container cart too',
  ])
})

test('does not warn of a port that the application declares for another protocol', () => {
  const cart = container('cart', {ports: [{port: 15_000, protocol: 'UDP'}]})

  expect(agentOf(meshPod({}, {containers: [cart, container('istio-proxy')]}))?.warnings).toEqual([])
})

test('warns of a network that the node shares', () => {
  const agent = agentOf(readPod('host-network', 'host-b'))

  expect(agent?.admin).toEqual({type: 'port', port: 15_100})
  expect(agent?.warnings).toEqual(['Shares the network of node node-a: another pod may answer on port 15100 or 15020'])
})

test('recognises pods of IPv6 and dual-stack clusters as any other', () => {
  const names = ['six-only', 'dual-six-first', 'dual-four-first']

  expect(names.map((name) => agentOf(readPod('dual-stack', name))?.kind)).toEqual(names.map(() => 'istio-sidecar'))
})

const AMBIENT = {'ambient.istio.io/redirection': 'enabled'}

test('a pod that its node’s ztunnel carries the traffic of is one without an agent inside', () => {
  const captured = pod('rates-1', {serviceAccount: 'rates', annotations: AMBIENT, containers: [container('app')]})

  const agent = agentOf(captured)

  expect(agent).toMatchObject({kind: 'istio-ambient', dialect: 'ztunnel', capturedAs: 'rates'})
  // The version is the application's.
  expect(agent).not.toHaveProperty('version')
})

test('a crashing application is no fault of the ztunnel that serves it: the pod’s phase decides', () => {
  const crashing = container('app', {state: {phase: 'waiting', reason: 'CrashLoopBackOff'}, restarts: 7})
  const asked = (phase: string) => {
    const captured = pod('rates-1', {annotations: AMBIENT, containers: [crashing], phase})
    return recognise(captured, builtinProfiles, {}, CLOCK)
  }

  expect(asked('Running')).not.toHaveProperty('failure')
  expect(asked('Pending')).toMatchObject({failure: {code: 'pod-not-running'}})
})

test.each([
  ['istio-sidecar', meshPod({}, {annotations: AMBIENT})],
  ['istio-waypoint', meshPod({args: ['proxy', 'waypoint']}, {annotations: AMBIENT})],
])('a captured pod with a proxy inside is of that kind: %s', (kind, captured) => {
  expect(agentOf(captured)?.kind).toBe(kind)
})

test('recognises the control plane, its version, its revision and the port of its metrics', () => {
  const istiod = pod('istiod-1', {
    labels: {app: 'istiod', istio: 'istiod', 'istio.io/rev': '1-30'},
    annotations: {'prometheus.io/port': '9090'},
    containers: [container('discovery', {image: 'registry.istio.io/release/pilot:1.30.1-distroless'})],
  })

  const agent = agentOf(istiod)

  expect(agent).toMatchObject({
    kind: 'istiod',
    container: 'discovery',
    version: '1.30.1',
    revision: '1-30',
    statusPort: 9090,
  })
})

test('an istio-cni serves its node and holds no secrets', () => {
  const container = {...meshPod().containers[1]!, name: 'install-cni', env: {MONITORING_PORT: '15099'}}

  const agent = agentOf(pod('istio-cni-node-x', {labels: {'k8s-app': 'istio-cni-node'}, containers: [container]}))

  expect(agent).toMatchObject({kind: 'istio-cni', nodeService: 'cni', holdsNoSecrets: true, statusPort: 15_099})
  expect(agent?.discovery).toBeUndefined()
})

test('a proxy may name its istiod, in its own config before the environment', () => {
  const env = {PROXY_CONFIG: '{"discoveryAddress":"istiod.one.svc:15012"}'}
  const annotations = {'proxy.istio.io/config': 'discoveryAddress: istiod.two.svc:15012'}

  expect(agentOf(meshPod({env}))?.discovery).toEqual({address: 'istiod.one.svc:15012'})
  expect(agentOf(meshPod({env}, {annotations}))?.discovery).toEqual({address: 'istiod.two.svc:15012'})
})

test('a ztunnel serves its node, the pod that it carries does not', () => {
  const ztunnel = agentOf(meshPod({}, {labels: {app: 'ztunnel'}}))
  const captured = agentOf(meshPod({}, {annotations: {'ambient.istio.io/redirection': 'enabled'}}))

  expect([ztunnel?.nodeService, captured?.nodeService]).toEqual(['ztunnel', undefined])
})
