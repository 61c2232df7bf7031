import type {ConnectedProxy} from '../agents/istiod.ts'
import {nodeAgentDebug} from '../agents/node-agent.ts'
import type {NodeAgentClient} from '../agents/node-agent.ts'
import type {PodPort} from '../agents/pod-port.ts'
import {clusterObjects} from './cluster-objects.ts'
import {buildDemo} from './demo-scenario.ts'
import type {Mesh} from './mesh.ts'
import {plainPod} from './plain-pod.ts'
import {podManifest} from './pod-manifest.ts'
import type {PodPlan} from './pod-manifest.ts'
import {gatewayPod, outsideCertificate} from './gateway-pod.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import {nodeIdOf, proxiedPod} from './proxied-pod.ts'
import {appContainer, proxyContainer, proxyVolumes} from './proxy-container.ts'
import {lazyCertificate, workloadCertificate} from './workload-certificates.ts'
import {addPortalGateway} from './zoo-cert-manager.ts'
import {addRefusingGateway} from './zoo-refusing-gateway.ts'
import {addSdsSockets} from './zoo-sds-sockets.ts'

const hourMs = 3_600_000
const node = {name: 'node-a', address: '172.18.0.2'}

/**
 * The demo and the rarer kinds of agents: a legacy node agent with its sidecar, whose two sides each hold a secret
 * that the other lacks, a proxyless gRPC agent, a gateway at a second istiod, another one with
 * cert-manager, a third that has refused a certificate, and sidecars whose SDS sockets differ.
 */
export async function buildZoo(mesh: Mesh): Promise<void> {
  await buildDemo(mesh)
  clusterObjects(mesh).namespace('legacy', [mesh.authority.root])
  addLegacyNodeAgent(mesh)
  addGrpcAgent(mesh)
  addEdgeGateway(mesh, await addPortalGateway(mesh), addRefusingGateway(mesh), ...addSdsSockets(mesh))
}

/**
 * A gateway that a second istiod serves: the first does not know it, as the second knows none of the demo's. One of its
 * certificates was renewed and not taken up, and one it waits for is not there.
 */
function addEdgeGateway(mesh: Mesh, ...others: readonly ConnectedProxy[]): void {
  const objects = clusterObjects(mesh)
  const roots = [mesh.authority.root]
  objects.namespace('edge', roots)
  objects.serviceAccount('edge', 'edge-gateway-istio')
  const api = {
    name: 'kubernetes-gateway://certificates/api-cert',
    certificate: outsideCertificate(mesh, 'api.example.com', 12),
  }
  const renewed = 'kubernetes://renewed-cert'
  const gateway = gatewayPod(
    mesh,
    {
      namespace: 'edge',
      gateway: 'edge-gateway',
      owner: objects.deployment('edge', 'edge-gateway-istio', '7c9f5d8b6', 1),
      suffix: 'q4m2d',
      node,
      address: '10.244.1.33',
      roots,
    },
    [
      api,
      {name: renewed, certificate: outsideCertificate(mesh, 'www.example.com', 80)},
      {name: 'kubernetes://missing-cert'},
    ],
  )
  mesh.world.putPod(gateway)
  const served = [api, {name: renewed, certificate: outsideCertificate(mesh, 'www.example.com', 1)}]
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 2)
  mesh.world.putPod(
    istiodPod(mesh, istiod, {suffix: 'w7d4t', node, address: '10.244.1.4'}, () => [
      connectedProxy(gateway, served),
      ...others,
    ]),
  )
}

function addLegacyNodeAgent(mesh: Mesh): void {
  const objects = clusterObjects(mesh)
  const issuedMs = mesh.startedMs - 2 * hourMs
  const agent = workloadCertificate(mesh.authority, 'legacy', 'billing', issuedMs)
  const extra = (dnsName: string) =>
    lazyCertificate(
      issuedMs,
      issuedMs + 720 * hourMs,
      async (notBeforeMs, notAfterMs) =>
        await mesh.publicAuthority.issue({subject: `CN=${dnsName}`, dnsNames: [dnsName], notBeforeMs, notAfterMs}),
    )
  const billing: PodPlan = {
    phase: 'Running',
    identity: {
      namespace: 'legacy',
      name: 'billing-74d9c5f6b-rm8xk',
      owner: objects.deployment('legacy', 'billing', '74d9c5f6b', 1),
      node,
      address: '10.244.1.31',
      serviceAccount: 'billing',
      createdMs: issuedMs - 60_000,
      labels: {app: 'billing', 'pod-template-hash': '74d9c5f6b', 'security.istio.io/tlsMode': 'istio'},
      annotations: {
        'sidecar.istio.io/status': JSON.stringify({
          version: '887285bb7fa76191bf7f637f283183f0ba057323b078d44c3db45978346cbc1a',
          initContainers: ['istio-init'],
          containers: ['istio-proxy'],
          volumes: ['istio-envoy', 'sds-uds-path', 'istio-token'],
          imagePullSecrets: null,
        }),
      },
    },
    containers: [
      appContainer('registry.example/billing:0.9', 'running'),
      proxyContainer({
        role: 'sidecar',
        workload: 'billing',
        state: 'running',
        image: 'docker.io/istio/proxyv2:1.4.10',
        mounts: [{mountPath: '/var/run/sds', name: 'sds-uds-path'}],
        env: {SDS_ENABLED: 'true', ISTIO_META_SDS_TOKEN_PATH: '/var/run/secrets/tokens/istio-token'},
      }),
    ],
    volumes: [...proxyVolumes(), {hostPath: {path: '/var/run/sds', type: ''}, name: 'sds-uds-path'}],
  }
  const text = JSON.stringify(podManifest(billing))
  mesh.world.putPod(
    proxiedPod(mesh, {
      plan: billing,
      manifest: () => text,
      role: 'sidecar',
      hasExpiryMetric: false,
      certificates: {agent, proxy: agent, roots: [mesh.authority.root]},
      gatewaySecrets: [{name: 'left-behind', certificate: extra('old.example.com')}],
    }),
  )
  const issued = extra('new.example.com')
  const client = (resourceName: string, pem: NodeAgentClient['pem'], expiresMs?: number): NodeAgentClient => ({
    proxy: nodeIdOf('sidecar', billing.identity),
    resourceName,
    holds: expiresMs === undefined ? 'roots' : 'certificate',
    pem,
    createdMs: issuedMs,
    ...(expiresMs === undefined ? {} : {expiresMs}),
  })
  const clients = [
    client('default', async () => (await agent.issue()).pem + mesh.authority.root.pem, agent.notAfterMs),
    client('ROOTCA', async () => await Promise.resolve(mesh.authority.root.pem)),
    client('not-taken-up', async () => (await issued.issue()).pem, issued.notAfterMs),
  ]
  const labels = {app: 'nodeagent', istio: 'nodeagent'}
  mesh.world.putPod(
    plainPod(
      {
        phase: 'Running',
        identity: {
          namespace: 'istio-system',
          name: 'istio-nodeagent-x8k2m',
          owner: objects.daemonSet('istio-system', 'istio-nodeagent', 1, labels),
          node,
          address: '10.244.1.3',
          serviceAccount: 'istio-nodeagent-service-account',
          createdMs: mesh.startedMs - 48 * hourMs,
          labels,
        },
        containers: [{state: 'running', spec: {name: 'nodeagent', image: 'docker.io/istio/node-agent-k8s:1.4.10'}}],
        volumes: [{hostPath: {path: '/var/run/sds', type: ''}, name: 'sdsudspath'}],
      },
      new Map<number, PodPort>([[8080, nodeAgentDebug(() => clients)]]),
      ['curl'],
    ),
  )
}

function addGrpcAgent(mesh: Mesh): void {
  const issuedMs = mesh.startedMs - 3 * hourMs
  const agent = workloadCertificate(mesh.authority, 'bank', 'quotes', issuedMs)
  const objects = clusterObjects(mesh)
  objects.serviceAccount('bank', 'quotes')
  const plan: PodPlan = {
    phase: 'Running',
    identity: {
      namespace: 'bank',
      name: 'quotes-6b9d7c5f8-j2wnd',
      owner: objects.deployment('bank', 'quotes', '6b9d7c5f8', 1),
      node,
      address: '10.244.1.32',
      serviceAccount: 'quotes',
      createdMs: issuedMs - 60_000,
      labels: {app: 'quotes', 'pod-template-hash': '6b9d7c5f8', 'service.istio.io/canonical-name': 'quotes'},
      annotations: {
        'inject.istio.io/templates': 'grpc-agent',
        'istio.io/rev': 'default',
        'sidecar.istio.io/status': JSON.stringify({
          initContainers: null,
          containers: ['app', 'istio-proxy'],
          volumes: ['workload-socket', 'workload-certs', 'istio-xds', 'istio-data', 'istio-podinfo', 'istio-token'],
          imagePullSecrets: null,
          revision: 'default',
        }),
      },
    },
    containers: [
      appContainer('registry.example/quotes:1.1', 'running'),
      proxyContainer({
        role: 'sidecar',
        workload: 'quotes',
        state: 'running',
        env: {
          DISABLE_ENVOY: 'true',
          ISTIO_META_GENERATOR: 'grpc',
          OUTPUT_CERTS: '/var/lib/istio/data',
          GRPC_XDS_BOOTSTRAP: '/etc/istio/proxy/grpc-bootstrap.json',
        },
      }),
    ],
    volumes: proxyVolumes(),
  }
  const text = JSON.stringify(podManifest(plan))
  mesh.world.putPod(
    proxiedPod(mesh, {
      plan,
      manifest: () => text,
      role: 'sidecar',
      hasEnvoy: false,
      certificateDirectory: '/var/lib/istio/data',
      certificates: {agent, proxy: agent, roots: [mesh.authority.root]},
    }),
  )
}
