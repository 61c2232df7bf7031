import type {ZtunnelCertificate} from '../agents/ztunnel.ts'
import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import {capturedPod, ztunnelOwner, ztunnelPod} from './ambient-pods.ts'
import type {ClusterObjects} from './cluster-objects.ts'
import type {Mesh} from './mesh.ts'
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
): readonly [captured: SimulatedPod, ztunnel: SimulatedPod] {
  const place = {namespace: 'bank', app: 'rates', hash: '6c7d9f5b8', suffix: 'p4qlz', node, address: '10.244.2.22'}
  const rates = capturedPod(mesh, objects, place)
  const held = (serviceAccount: string, ageHours: number): ZtunnelCertificate => ({
    identity: spiffeId('bank', serviceAccount),
    state: 'Available',
    chain: [workloadCertificate(mesh.authority, 'bank', serviceAccount, mesh.startedMs - ageHours * hourMs).issue],
    roots,
  })
  const certificates = [held('rates', 4), held('rates-legacy', 9)]
  const workloads = [{uid: rates.uid, name: rates.name, namespace: 'bank', serviceAccount: 'rates'}]
  const ztunnel = ztunnelPod(
    mesh,
    {owner: ztunnelOwner(objects, 1), suffix: '7hk4d', node, address: '10.244.2.2'},
    {certificates: () => certificates, workloads: () => workloads},
  )
  return [rates, ztunnel]
}
