import {ztunnelPorts} from '../agents/ztunnel.ts'
import type {ZtunnelCertificate} from '../agents/ztunnel.ts'
import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {ClusterObjects} from './cluster-objects.ts'
import type {Mesh} from './mesh.ts'
import {plainPod} from './plain-pod.ts'
import type {PodPlan} from './pod-manifest.ts'
import {spiffeId, workloadCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000

/**
 * The ambient part of the demo: a captured pod and its node's ztunnel, which still holds an identity that no pod of its
 * node needs any more.
 */
export function ambientPods(
  mesh: Mesh,
  objects: ClusterObjects,
  node: {readonly name: string; readonly address: string},
  roots: readonly IssuedCertificate[],
): readonly SimulatedPod[] {
  const {startedMs} = mesh
  const rates = plainPod(
    planOf(
      'bank',
      'rates-6c7d9f5b8-p4qlz',
      {app: 'rates', 'pod-template-hash': '6c7d9f5b8'},
      {
        owner: objects.deployment('bank', 'rates', '6c7d9f5b8', 1),
        node,
        address: '10.244.2.22',
        serviceAccount: 'rates',
        createdMs: startedMs - 30 * hourMs,
        annotations: {'ambient.istio.io/redirection': 'enabled'},
        container: {name: 'app', image: 'registry.example/rates:2.0'},
      },
    ),
  )
  const held = (serviceAccount: string, ageHours: number): ZtunnelCertificate => ({
    identity: spiffeId('bank', serviceAccount),
    state: 'Available',
    chain: [workloadCertificate(mesh.authority, 'bank', serviceAccount, startedMs - ageHours * hourMs).issue],
    roots,
  })
  const certificates = [held('rates', 4), held('rates-legacy', 9)]
  const workloads = [{uid: rates.uid, name: rates.name, namespace: 'bank', serviceAccount: 'rates'}]
  const ztunnelLabels = {app: 'ztunnel', 'app.kubernetes.io/name': 'ztunnel'}
  const ztunnel = plainPod(
    planOf(
      'istio-system',
      'ztunnel-7hk4d',
      {...ztunnelLabels, 'sidecar.istio.io/inject': 'false', 'istio.io/dataplane-mode': 'none'},
      {
        owner: objects.daemonSet('istio-system', 'ztunnel', 1, ztunnelLabels),
        node,
        address: '10.244.2.2',
        serviceAccount: 'ztunnel',
        createdMs: startedMs - 48 * hourMs,
        annotations: {'prometheus.io/port': '15020', 'prometheus.io/scrape': 'true'},
        container: {
          name: 'istio-proxy',
          image: 'registry.istio.io/release/ztunnel:1.31.0-distroless',
          args: ['proxy', 'ztunnel'],
          ports: [{containerPort: 15020, name: 'ztunnel-stats', protocol: 'TCP'}],
        },
      },
    ),
    ztunnelPorts({node: node.name, certificates: () => certificates, workloads: () => workloads}, mesh.onMutation),
  )
  return [rates, ztunnel]
}

interface Rest extends Omit<PodPlan['identity'], 'namespace' | 'name' | 'labels'> {
  readonly container: PodPlan['containers'][number]['spec']
}

function planOf(namespace: string, name: string, labels: Readonly<Record<string, string>>, rest: Rest): PodPlan {
  const {container, ...identity} = rest
  return {
    phase: 'Running',
    identity: {...identity, namespace, name, labels},
    containers: [{state: 'running', spec: container}],
  }
}
