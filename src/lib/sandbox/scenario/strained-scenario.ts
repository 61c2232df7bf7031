import type {ConnectedProxy} from '../agents/istiod.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import {capturedPod, ztunnelOwner, ztunnelPod} from './ambient-pods.ts'
import {type ClusterObjects, clusterObjects} from './cluster-objects.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import {cniOwner, cniPod} from './cni-pod.ts'
import type {OwnerReference} from './pod-manifest.ts'
import {sidecarPod, type SidecarWorkload} from './sidecar-pod.ts'
import {spiffeId, workloadCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000
const refusal = `Error adding/updating listener(s) 0.0.0.0_8080: Didn't find a registered implementation for 'shop.audit'
with type URL: 'type.googleapis.com/shop.Audit'`

interface Node {
  readonly name: string
  readonly address: string
}

/**
 * A mesh whose certificates are all well, and whose control plane does not reach everybody. In `shop` one sidecar is in
 * step, one did not take up its listeners, one refused them, one is connected to none of the two istiods, one is of an
 * older version. The ztunnel of `node-a` is connected to none; istio-cni is not installed on `node-b`, and not there at
 * all on `node-c`.
 */
export function buildStrained(mesh: Mesh): void {
  const objects = clusterObjects(mesh)
  const [a, b, c] = ['a', 'b', 'c'].map((letter, index) =>
    objects.node(`node-${letter}`, `172.18.0.${String(index + 2)}`),
  )
  if (a === undefined || b === undefined || c === undefined) return
  for (const name of ['istio-system', 'shop', 'bank']) objects.namespace(name, [mesh.authority.root])
  const first: ConnectedProxy[] = []
  const second: ConnectedProxy[] = []
  const sidecar = (app: string, node: Node, image?: string): SimulatedPod => addSidecar(mesh, objects, app, node, image)
  first.push(connectedProxy(sidecar('steady', a)))
  first.push(connectedProxy(sidecar('stuck', b), [], {listeners: () => 'stale'}))
  second.push(connectedProxy(sidecar('picky', a), [], {listeners: () => ({refused: refusal})}))
  sidecar('lonely', b)
  const aged = sidecar('aged', c, 'docker.io/istio/proxyv2:1.28.3')
  second.push(connectedProxy(aged, [], {version: '1.28.3'}))
  const ztunnels = ztunnelOwner(objects, 2)
  addZtunnel(mesh, objects, ztunnels, {node: a, app: 'ledger', suffix: 'aaaaa'})
  second.push(
    connectedProxy(addZtunnel(mesh, objects, ztunnels, {node: b, app: 'rates', suffix: 'bbbbb'}), [], {
      kind: 'ztunnel',
    }),
  )
  const cnis = cniOwner(objects, 3, 2)
  mesh.world.putPod(cniPod(mesh, cnis, {node: a, suffix: 'aaaaa'}, {isInstalled: () => true, hasZtunnel: () => true}))
  mesh.world.putPod(cniPod(mesh, cnis, {node: b, suffix: 'bbbbb'}, {isInstalled: () => false, hasZtunnel: () => true}))
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 2)
  mesh.world.putPod(istiodPod(mesh, istiod, {suffix: 'k2v5n', node: b, address: '10.244.2.3'}, () => first))
  mesh.world.putPod(istiodPod(mesh, istiod, {suffix: 'w7d4t', node: a, address: '10.244.1.3'}, () => second))
}

function addSidecar(
  mesh: Mesh,
  objects: ClusterObjects,
  app: string,
  node: Node,
  image: SidecarWorkload['image'],
): SimulatedPod {
  objects.serviceAccount('shop', app)
  const owner = objects.deployment('shop', app, '5d8f7c9b6', 1)
  const name = `${owner.name}-4kxvq`
  const place = {namespace: 'shop', app, owner, name, node, address: '10.244.1.11', agentAgeHours: 3}
  const pod = sidecarPod(mesh, {...place, ...(image !== undefined && {image})}, [mesh.authority.root])
  mesh.world.putPod(pod)
  return pod
}

/** A node's ztunnel, and the one pod that it carries. */
function addZtunnel(
  mesh: Mesh,
  objects: ClusterObjects,
  owner: OwnerReference,
  {node, app, suffix}: {readonly node: Node; readonly app: string; readonly suffix: string},
): SimulatedPod {
  objects.serviceAccount('bank', app)
  const place = {namespace: 'bank', app, hash: '6c7d9f5b8', suffix, node, address: '10.244.2.22'}
  const captured = capturedPod(mesh, objects, place)
  const certificate = workloadCertificate(mesh.authority, 'bank', app, mesh.startedMs - 4 * hourMs)
  const ztunnel = ztunnelPod(
    mesh,
    {owner, suffix, node, address: '10.244.2.2'},
    {
      certificates: () => [
        {
          identity: spiffeId('bank', app),
          state: 'Available',
          chain: [certificate.issue],
          roots: [mesh.authority.root],
        },
      ],
      workloads: () => [{uid: captured.uid, name: captured.name, namespace: 'bank', serviceAccount: app}],
    },
  )
  mesh.world.putPod(captured)
  mesh.world.putPod(ztunnel)
  return ztunnel
}
