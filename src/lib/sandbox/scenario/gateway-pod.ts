import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import type {Mesh} from './mesh.ts'
import {podManifest} from './pod-manifest.ts'
import type {OwnerReference, PodPlan} from './pod-manifest.ts'
import {proxiedPod} from './proxied-pod.ts'
import type {ProxiedPod} from './proxied-pod.ts'
import {proxyContainer, proxyVolumes} from './proxy-container.ts'
import {lazyCertificate, workloadCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A Gateway API gateway, with two certificates for the outside that istiod serves it. */
export function gatewayPod(
  mesh: Mesh,
  owner: OwnerReference,
  node: {readonly name: string; readonly address: string},
  roots: readonly IssuedCertificate[],
): ProxiedPod {
  const issuedMs = mesh.startedMs - 7 * hourMs
  const plan: PodPlan = {
    phase: 'Running',
    identity: {
      namespace: 'shop',
      name: `${owner.name}-v9c3k`,
      owner,
      node,
      address: '10.244.2.13',
      serviceAccount: 'shop-gateway-istio',
      createdMs: issuedMs - 60_000,
      labels: {
        app: 'shop-gateway-istio',
        'gateway.istio.io/managed': 'istio.io-gateway-controller',
        'gateway.networking.k8s.io/gateway-class-name': 'istio',
        'gateway.networking.k8s.io/gateway-name': 'shop-gateway',
        'pod-template-hash': owner.name.split('-').at(-1) ?? '',
        'service.istio.io/canonical-name': 'shop-gateway-istio',
        'service.istio.io/canonical-revision': 'latest',
        'sidecar.istio.io/inject': 'false',
      },
      annotations: {'istio.io/rev': 'default', 'prometheus.io/port': '15020', 'prometheus.io/scrape': 'true'},
    },
    containers: [proxyContainer({role: 'router', workload: 'shop-gateway-istio', state: 'running'})],
    volumes: proxyVolumes(),
  }
  const text = JSON.stringify(podManifest(plan))
  const agent = workloadCertificate(mesh.authority, 'shop', 'shop-gateway-istio', issuedMs)
  const outside = (name: string, dnsName: string, ageDays: number) => ({
    name,
    certificate: lazyCertificate(
      mesh.startedMs - ageDays * dayMs,
      mesh.startedMs + (90 - ageDays) * dayMs,
      async (notBeforeMs, notAfterMs) =>
        await mesh.publicAuthority.issue({subject: `CN=${dnsName}`, dnsNames: [dnsName], notBeforeMs, notAfterMs}),
    ),
  })
  return proxiedPod(mesh, {
    plan,
    manifest: () => text,
    role: 'router',
    certificates: {agent, proxy: agent, roots},
    gatewaySecrets: [
      outside('kubernetes://shop-cert', 'shop.example.com', 20),
      outside('kubernetes://wildcard-cert', '*.example.com', 45),
    ],
  })
}
