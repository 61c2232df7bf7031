import {envoyAdmin, envoyPrometheus} from '../agents/envoy-admin.ts'
import type {EnvoyModel} from '../agents/envoy-model.ts'
import type {EnvoySecret} from '../agents/envoy-secret.ts'
import {envoyHealth, envoyMetricsListener, type PilotAgentModel, pilotAgentStatus} from '../agents/pilot-agent.ts'
import type {PodPort} from '../agents/pod-port.ts'
import type {CertificateAuthority} from '../pki/certificate-authority.ts'
import type {SimulatedContainer, SimulatedPod, Program} from '../simulated-pod.ts'
import type {SdsModel} from '../agents/sds-server.ts'
import type {Duplex} from 'node:stream'
import {type GatewaySecret, holdsOf, pemOf} from './gateway-secret.ts'
import {bundle} from './mesh.ts'
import type {Mesh} from './mesh.ts'
import {rfc3339, uidOf} from './object-values.ts'
import type {PodIdentity, PodPlan} from './pod-manifest.ts'
import {isRunning} from './pod-status.ts'
import type {LazyCertificate, WorkloadCertificates} from './workload-certificates.ts'

/** An agent's SDS socket, and how it is served. */
interface SdsSocket extends Pick<SdsModel, 'api' | 'refused' | 'isKeyInChain'> {
  readonly path: string
}

/** A pod with a pilot-agent and an Envoy. */
export interface ProxiedPodOptions {
  readonly plan: PodPlan
  /** The Pod object as JSON text. */
  readonly manifest: () => string
  readonly role: 'sidecar' | 'router' | 'waypoint'
  readonly certificates: WorkloadCertificates
  /** `false` with mounted certificates, and for agents before 1.14. */
  readonly hasExpiryMetric?: boolean
  /** `false` for a proxyless gRPC agent. */
  readonly hasEnvoy?: boolean
  /** Further secrets of the Envoy, which istiod serves it: name and certificate. */
  readonly gatewaySecrets?: readonly GatewaySecret[]
  /** Where the proxy container has certificate files, mounted or written by the agent. Its image then has `cat`. */
  readonly certificateDirectory?: string
  /** Where the agent serves its secrets, and in which of Envoy's APIs; as agents since 1.14 do it where absent. */
  readonly sds?: SdsSocket | 'none'
  /** What the image has beside `pilot-agent`. */
  readonly tools?: readonly Program[]
  readonly extraClusters?: number
  /** How agent and proxy fare; well where absent. */
  readonly health?: Health
}

/** How an agent and its proxy fare. */
export interface Health {
  readonly isAgentReady?: false
  readonly serverState?: ReturnType<EnvoyModel['serverState']>
  readonly counts?: PilotAgentModel['counts']
}

/** The agent's SDS socket since Istio 1.14. */
export const workloadSocket = '/var/run/secrets/workload-spiffe-uds/socket'

/** A pod whose two sides a test may move. */
export interface ProxiedPod extends SimulatedPod {
  readonly certificates: WorkloadCertificates
}

/** The pod, with everything that answers inside. */
export function proxiedPod(mesh: Mesh, options: ProxiedPodOptions): ProxiedPod {
  const {plan, certificates} = options
  const {identity, phase} = plan
  let ports: ReadonlyMap<number, PodPort> | undefined
  return {
    namespace: identity.namespace,
    name: identity.name,
    uid: uidOf('Pod', identity.namespace, identity.name),
    labels: identity.labels,
    ...(identity.node === undefined ? {} : {node: identity.node.name, nodeAddress: identity.node.address}),
    phase,
    address: identity.address,
    serviceAccount: identity.serviceAccount,
    manifest: options.manifest,
    containers: () => containersOf(options, mesh.authority),
    ports: () => (ports ??= phase === 'Running' ? portsOf(mesh, options) : new Map<number, PodPort>()),
    certificates,
  }
}

function portsOf(mesh: Mesh, options: ProxiedPodOptions): ReadonlyMap<number, PodPort> {
  const model = envoyModel(mesh, options)
  const {certificates, health = {}} = options
  const agent = {
    notAfterMs: () => (options.hasExpiryMetric === false ? undefined : certificates.agent.notAfterMs),
    isReady: () => certificates.proxy !== undefined && health.isAgentReady !== false,
    ...(health.counts !== undefined && {counts: health.counts}),
    envoyMetrics: () => envoyPrometheus(model),
  }
  if (options.hasEnvoy === false) {
    const alone = {notAfterMs: agent.notAfterMs, isReady: () => true}
    return new Map([[15020, pilotAgentStatus(alone, mesh.onMutation)]])
  }
  return new Map([
    [15000, envoyAdmin(model, mesh.onMutation)],
    [15020, pilotAgentStatus(agent, mesh.onMutation)],
    [15021, envoyHealth(agent)],
    [15090, envoyMetricsListener(agent.envoyMetrics)],
  ])
}

function envoyModel(mesh: Mesh, options: ProxiedPodOptions): EnvoyModel {
  const {identity} = options.plan
  return {
    nodeId: nodeIdOf(options.role, identity),
    cluster: `${identity.labels['app'] ?? identity.name}.${identity.namespace}`,
    istioVersion: '1.31.0',
    startedMs: identity.createdMs,
    extraClusters: options.extraClusters ?? 8,
    // Its listeners wait for their first certificate, and it for them.
    serverState: () =>
      options.certificates.proxy === undefined ? 'PRE_INITIALIZING' : (options.health?.serverState ?? 'LIVE'),
    secrets: () => secretsOf(mesh, options),
  }
}

/** An Envoy's node id: `sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`. */
export function nodeIdOf(role: string, {address, name, namespace}: PodIdentity): string {
  return `${role}~${address}~${name}.${namespace}~${namespace}.svc.cluster.local`
}

function secretsOf(mesh: Mesh, {certificates, gatewaySecrets, plan, role}: ProxiedPodOptions): readonly EnvoySecret[] {
  const {proxy, roots} = certificates
  // Envoy hears of a certificate two minutes after its back-dated beginning.
  const updatedMs = proxy === undefined ? plan.identity.createdMs : proxy.notBeforeMs + 120_433
  const version = (counter: number): string => `${rfc3339(updatedMs)}/${String(counter)}`
  const workload: EnvoySecret = {
    name: 'default',
    holds: 'certificate',
    updatedMs,
    ...(proxy === undefined
      ? {isListedActive: certificates.isListedActive === true}
      : {version: version(1), pem: chainOf(proxy)}),
  }
  const trusted: EnvoySecret = {
    name: 'ROOTCA',
    holds: 'roots',
    updatedMs,
    // As agents since 1.31 send it to a sidecar, and not to a gateway.
    hasEmptyCrl: role === 'sidecar',
    ...(roots.length === 0 ? {} : {version: version(2), pem: async () => await Promise.resolve(bundle(roots))}),
  }
  const fromIstiod = (gatewaySecrets ?? []).map((secret): EnvoySecret => {
    const pem = pemOf(secret)
    const {before} = secret
    return {
      name: secret.name,
      holds: holdsOf(secret),
      // Of what it refuses Envoy shows the content, and the time of what it goes on with.
      updatedMs: before === undefined ? mesh.startedMs - 3_600_000 : before.notBeforeMs + 1433,
      ...(pem !== undefined && {pem}),
      ...(before !== undefined && {loadedPem: async () => (await before.issue()).pem}),
    }
  })
  return [...fromIstiod, workload, trusted]

  /** The chain as istiod sends it: the leaf, then the root that signed it. */
  function chainOf(certificate: LazyCertificate): () => Promise<string> {
    return async () => (await certificate.issue()).pem + mesh.authority.root.pem
  }
}

function containersOf(options: ProxiedPodOptions, authority: CertificateAuthority): readonly SimulatedContainer[] {
  const {plan, certificates, certificateDirectory: directory, tools = []} = options
  const sockets = socketsOf(options, authority)
  const files = new Map<string, () => Promise<string>>(
    directory === undefined
      ? []
      : [
          [`${directory}/cert-chain.pem`, async () => (await certificates.agent.issue()).pem + authority.root.pem],
          [`${directory}/root-cert.pem`, async () => await Promise.resolve(bundle(certificates.roots))],
        ],
  )
  return [...plan.containers, ...(plan.initContainers ?? [])].map(({spec, state}) => ({
    name: spec.name,
    isRunning: isRunning(state),
    programs:
      spec.name === 'istio-proxy'
        ? ['pilot-agent', ...tools, ...(directory === undefined ? [] : (['cat'] as const))]
        : [],
    files: spec.name === 'istio-proxy' ? files : new Map(),
    ...(spec.name === 'istio-proxy' ? {sockets} : {}),
  }))
}

function socketsOf(
  {sds = {path: workloadSocket, api: 'v3'}, hasEnvoy, certificates}: ProxiedPodOptions,
  authority: CertificateAuthority,
): ReadonlyMap<string, (connection: Duplex) => Promise<void>> {
  if (sds === 'none' || hasEnvoy === false) return new Map()
  const {path, ...served} = sds
  const model: SdsModel = {
    ...served,
    chainPem: async () => (await certificates.agent.issue()).pem + authority.root.pem,
    keyPem: async () => await authority.leafKeyPem(),
    rootsPem: () => bundle(certificates.roots),
    issuedMs: () => certificates.agent.notBeforeMs,
  }
  const take = async (connection: Duplex): Promise<void> => {
    // gRPC is loaded by the first who connects.
    const {serveSds} = await import('../agents/sds-server.ts')
    serveSds(model, connection)
  }
  return new Map([[path, take]])
}
