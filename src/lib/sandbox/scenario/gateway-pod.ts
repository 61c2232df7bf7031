import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import type {Mesh} from './mesh.ts'
import {podManifest} from './pod-manifest.ts'
import type {OwnerReference, PodPlan} from './pod-manifest.ts'
import {proxiedPod} from './proxied-pod.ts'
import type {GatewaySecret} from './gateway-secret.ts'
import type {ProxiedPod} from './proxied-pod.ts'
import {proxyContainer, proxyVolumes} from './proxy-container.ts'
import {lazyCertificate, workloadCertificate} from './workload-certificates.ts'
import type {LazyCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Where a gateway runs, and what for. */
export interface GatewayPlace {
  readonly namespace: string
  /** Name of the Gateway. */
  readonly gateway: string
  readonly owner: OwnerReference
  readonly suffix: string
  readonly node: {readonly name: string; readonly address: string}
  readonly address: string
  readonly roots: readonly IssuedCertificate[]
}

/** A Gateway API gateway, with certificates for the outside that it has from istiod. */
export function gatewayPod(mesh: Mesh, place: GatewayPlace, secrets: readonly GatewaySecret[]): ProxiedPod {
  const {namespace, gateway, owner, suffix, node, address, roots} = place
  const issuedMs = mesh.startedMs - 7 * hourMs
  const name = `${gateway}-istio`
  const plan: PodPlan = {
    phase: 'Running',
    identity: {
      namespace,
      name: `${owner.name}-${suffix}`,
      owner,
      node,
      address,
      serviceAccount: name,
      createdMs: issuedMs - 60_000,
      labels: {
        app: name,
        'gateway.istio.io/managed': 'istio.io-gateway-controller',
        'gateway.networking.k8s.io/gateway-class-name': 'istio',
        'gateway.networking.k8s.io/gateway-name': gateway,
        'pod-template-hash': owner.name.split('-').at(-1) ?? '',
        'service.istio.io/canonical-name': name,
        'service.istio.io/canonical-revision': 'latest',
        'sidecar.istio.io/inject': 'false',
      },
      annotations: {'istio.io/rev': 'default', 'prometheus.io/port': '15020', 'prometheus.io/scrape': 'true'},
    },
    containers: [proxyContainer({role: 'router', workload: name, state: 'running'})],
    volumes: proxyVolumes(),
  }
  const text = JSON.stringify(podManifest(plan))
  const agent = workloadCertificate(mesh.authority, namespace, name, issuedMs)
  return proxiedPod(mesh, {
    plan,
    manifest: () => text,
    role: 'router',
    tools: ['nc'],
    certificates: {agent, proxy: agent, roots},
    gatewaySecrets: secrets,
  })
}

/** A certificate for the outside, of 90 days. */
export function outsideCertificate(mesh: Mesh, dnsName: string, ageDays: number): LazyCertificate {
  return lazyCertificate(
    mesh.startedMs - ageDays * dayMs,
    mesh.startedMs + (90 - ageDays) * dayMs,
    async (notBeforeMs, notAfterMs) =>
      await mesh.publicAuthority.issue({subject: `CN=${dnsName}`, dnsNames: [dnsName], notBeforeMs, notAfterMs}),
  )
}
