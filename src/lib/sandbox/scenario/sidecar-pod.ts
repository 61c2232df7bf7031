import {injectionStatus, appContainer, initContainer, proxyContainer, proxyVolumes} from './proxy-container.ts'
import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import type {Mesh} from './mesh.ts'
import {podManifest} from './pod-manifest.ts'
import type {OwnerReference, PodPlan} from './pod-manifest.ts'
import {proxiedPod} from './proxied-pod.ts'
import type {ProxiedPod, ProxiedPodOptions} from './proxied-pod.ts'
import {type LazyCertificate, workloadCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000

/** An injected workload, and how its two sides stand. */
export interface SidecarWorkload {
  readonly namespace: string
  readonly app: string
  readonly name: string
  readonly owner: OwnerReference
  readonly address: string
  readonly node?: {readonly name: string; readonly address: string}
  readonly phase?: PodPlan['phase']
  readonly isNative?: boolean
  readonly isMounted?: boolean
  /** Hours since the agent got its certificate, and since the proxy took up the one that it has. */
  readonly agentAgeHours?: number
  readonly proxyAgeHours?: number
  /** What both sides hold, in place of one that the mesh's CA issued to it. */
  readonly certificate?: LazyCertificate
  /** Variables of the proxy's container beside the usual ones, or in their place. */
  readonly env?: Readonly<Record<string, string>>
  readonly isWarming?: boolean
  /** It waits, and lists its secret as active. */
  readonly isUninitialized?: boolean
  /** The proxy took up its roots before the second one was published. */
  readonly hasOldRoots?: boolean
  /** The image; Istio 1.31's where absent. */
  readonly image?: string
  /** What the image has beside the agent: netcat where absent, nothing where distroless. */
  readonly tools?: ProxiedPodOptions['tools']
  /** Where the agent serves its secrets; as agents since 1.14 do it where absent. */
  readonly sds?: ProxiedPodOptions['sds']
  /** SPIRE's own socket is mounted in place of the agent's. */
  readonly isSpire?: boolean
  readonly health?: ProxiedPodOptions['health']
  /** How the proxy's container fares; as its pod where absent. */
  readonly proxyState?: PodPlan['containers'][number]['state']
  readonly annotations?: Readonly<Record<string, string>>
}

/** An injected pod of a workload; `roots` are those that the mesh publishes now. */
export function sidecarPod(mesh: Mesh, workload: SidecarWorkload, roots: readonly IssuedCertificate[]): ProxiedPod {
  const {namespace, app, name, owner, address, node, phase = 'Running', isNative = false} = workload
  const issuedMs = mesh.startedMs - (workload.agentAgeHours ?? 1) * hourMs
  const agent = workload.certificate ?? workloadCertificate(mesh.authority, namespace, app, issuedMs)
  const proxy =
    workload.proxyAgeHours === undefined
      ? agent
      : workloadCertificate(mesh.authority, namespace, app, mesh.startedMs - workload.proxyAgeHours * hourMs)
  const state = phase === 'Running' ? 'running' : phase === 'Pending' ? 'waiting' : 'completed'
  const proxyPart = proxyContainer({
    role: 'sidecar',
    workload: app,
    state: workload.proxyState ?? state,
    isNative,
    ...(workload.env === undefined ? {} : {env: workload.env}),
    ...(workload.image === undefined ? {} : {image: workload.image}),
  })
  const init = initContainer()
  const plan: PodPlan = {
    phase,
    identity: {
      namespace,
      name,
      owner,
      address,
      serviceAccount: app,
      createdMs: issuedMs - 60_000,
      ...(node === undefined ? {} : {node}),
      labels: {
        app,
        'security.istio.io/tlsMode': 'istio',
        'service.istio.io/canonical-name': app,
        'service.istio.io/canonical-revision': 'latest',
        ...(owner.kind === 'ReplicaSet' ? {'pod-template-hash': owner.name.slice(app.length + 1)} : {}),
        ...(owner.kind === 'Job' ? {'batch.kubernetes.io/job-name': owner.name} : {}),
      },
      annotations: {
        'istio.io/rev': 'default',
        'kubectl.kubernetes.io/default-container': 'app',
        'prometheus.io/path': '/stats/prometheus',
        'prometheus.io/port': '15020',
        'prometheus.io/scrape': 'true',
        'sidecar.istio.io/status': injectionStatus(isNative),
        ...workload.annotations,
      },
    },
    containers: [appContainer(`registry.example/${app}:1.4.2`, state), ...(isNative ? [] : [proxyPart])],
    initContainers: isNative ? [init, proxyPart] : [init],
    volumes: proxyVolumes(workload.isMounted === true ? `${app}-workload-certs` : undefined, workload.isSpire),
  }
  const text = JSON.stringify(podManifest(plan))
  return proxiedPod(mesh, {
    plan,
    manifest: () => text,
    role: 'sidecar',
    tools: workload.tools ?? ['nc'],
    ...(workload.health === undefined ? {} : {health: workload.health}),
    ...(workload.sds === undefined ? {} : {sds: workload.sds}),
    ...(workload.isSpire === true ? {hasExpiryMetric: false} : {}),
    ...(workload.isMounted === true
      ? {hasExpiryMetric: false, certificateDirectory: '/var/run/secrets/workload-spiffe-credentials'}
      : {}),
    certificates: {
      agent,
      proxy: workload.isWarming === true || workload.isUninitialized === true ? undefined : proxy,
      isListedActive: workload.isUninitialized === true,
      roots: workload.hasOldRoots === true ? roots.slice(0, 1) : roots,
    },
  })
}
