import type {ConnectedProxy} from '../agents/istiod.ts'
import {putCertificate} from './certificate-objects.ts'
import {clusterObjects} from './cluster-objects.ts'
import {ambientPods} from './demo-ambient.ts'
import {makeCertificateAuthority} from '../pki/certificate-authority.ts'
import type {Mesh} from './mesh.ts'
import {plainPod} from './plain-pod.ts'
import type {OwnerReference} from './pod-manifest.ts'
import {appContainer} from './proxy-container.ts'
import {gatewayPod, outsideCertificate} from './gateway-pod.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import {sidecarPod} from './sidecar-pod.ts'
import type {SidecarWorkload} from './sidecar-pod.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * A small mesh in which each thing that can be wrong is wrong once. It stands in the middle of a change of roots:
 * istiod publishes the old root and the new one.
 */
export async function buildDemo(mesh: Mesh): Promise<void> {
  const objects = clusterObjects(mesh)
  const next = await makeCertificateAuthority('O=cluster.local', mesh.startedMs - hourMs, mesh.startedMs + 3650 * dayMs)
  const roots = [mesh.authority.root, next.root]
  const nodes = {
    a: objects.node('node-a', '172.18.0.2'),
    b: objects.node('node-b', '172.18.0.3'),
    c: objects.node('node-c', '172.18.0.4'),
  }
  objects.namespace('default', roots)
  for (const name of ['bank', 'istio-system', 'shop']) objects.namespace(name, roots)
  for (const name of ['cart', 'catalog', 'checkout', 'migrate', 'reports', 'search', 'shop-gateway-istio']) {
    objects.serviceAccount('shop', name)
  }
  for (const name of ['fraud', 'ledger', 'payments', 'rates']) objects.serviceAccount('bank', name)

  const connected: ConnectedProxy[] = []
  const add = (workload: SidecarWorkload) => {
    const pod = sidecarPod(mesh, workload, roots)
    mesh.world.putPod(pod)
    if (pod.phase === 'Running') connected.push(connectedProxy(pod))
    return pod
  }
  const cart = objects.deployment('shop', 'cart', '5d8f7c9b6', 2)
  const base = {namespace: 'shop', app: 'cart', owner: cart}
  add({...base, name: 'cart-5d8f7c9b6-4kxvq', node: nodes.a, address: '10.244.1.11', agentAgeHours: 3})
  // The agent has rotated, and its Envoy never took the new certificate up.
  add({
    ...base,
    name: 'cart-5d8f7c9b6-9zt2w',
    node: nodes.b,
    address: '10.244.2.11',
    agentAgeHours: 1,
    proxyAgeHours: 13,
  })
  const catalog = objects.deployment('shop', 'catalog', '7b6d4f8c5', 1)
  add({
    namespace: 'shop',
    app: 'catalog',
    owner: catalog,
    name: 'catalog-7b6d4f8c5-lm2xp',
    node: nodes.a,
    address: '10.244.1.12',
    agentAgeHours: 5,
    isNative: true,
    tools: [],
  })
  const checkout = objects.deployment('shop', 'checkout', '6c9f5d7b4', 1)
  // The agent has a certificate, and its Envoy still waits for it.
  add({
    namespace: 'shop',
    app: 'checkout',
    owner: checkout,
    name: 'checkout-6c9f5d7b4-q8wzt',
    node: nodes.b,
    address: '10.244.2.12',
    agentAgeHours: 2,
    isWarming: true,
  })
  const search = objects.deployment('shop', 'search', '84c7d6f59', 1)
  // Certificates are mounted: no expiry metric, but files that can be read.
  add({
    namespace: 'shop',
    app: 'search',
    owner: search,
    name: 'search-84c7d6f59-h5n7c',
    node: nodes.a,
    address: '10.244.1.13',
    agentAgeHours: 4,
    isMounted: true,
  })
  const reports = objects.statefulSet('shop', 'reports', 1)
  // Not scheduled.
  add({
    namespace: 'shop',
    app: 'reports',
    owner: reports,
    name: 'reports-0',
    address: '',
    phase: 'Pending',
    agentAgeHours: 1,
  })
  // A finished job.
  add({
    namespace: 'shop',
    app: 'migrate',
    owner: objects.job('shop', 'migrate-29431'),
    name: 'migrate-29431-x7f2p',
    node: nodes.a,
    address: '10.244.1.14',
    phase: 'Succeeded',
    agentAgeHours: 20,
    isNative: true,
  })
  const [shop, wildcard] = [
    outsideCertificate(mesh, 'shop.example.com', 20),
    outsideCertificate(mesh, '*.example.com', 45),
  ]
  const outside = [
    {name: 'kubernetes://shop-cert', certificate: shop},
    {name: 'kubernetes://wildcard-cert', certificate: wildcard},
  ]
  putCertificate(mesh, 'shop', {name: 'shop', secretName: 'shop-cert', certificate: shop})
  // In step, and without a successor to come.
  putCertificate(mesh, 'shop', {
    name: 'wildcard',
    secretName: 'wildcard-cert',
    certificate: wildcard,
    notReady: {
      reason: 'IncorrectIssuer',
      message: 'Issuing certificate as Secret was previously issued by another issuer',
    },
  })
  const gateway = gatewayPod(
    mesh,
    {
      namespace: 'shop',
      gateway: 'shop-gateway',
      owner: objects.deployment('shop', 'shop-gateway-istio', '58d4c6b7f', 1),
      suffix: 'v9c3k',
      node: nodes.b,
      address: '10.244.2.13',
      roots,
    },
    outside,
  )
  mesh.world.putPod(gateway)
  mesh.world.putPod(staticSite(mesh, objects.deployment('shop', 'static-site', '5f7b8c6d9', 1), nodes.a))

  const bank = {namespace: 'bank'}
  // istiod has not answered for two days: the certificate has expired, and Envoy keeps serving it.
  add({
    ...bank,
    app: 'ledger',
    owner: objects.deployment('bank', 'ledger', '6d5b9c8f7', 1),
    name: 'ledger-6d5b9c8f7-t4jgr',
    node: nodes.a,
    address: '10.244.1.21',
    agentAgeHours: 26,
  })
  // The proxy's roots are older than the second root.
  add({
    ...bank,
    app: 'payments',
    owner: objects.deployment('bank', 'payments', '79c8b5d64', 1),
    name: 'payments-79c8b5d64-2xkvm',
    node: nodes.b,
    address: '10.244.2.21',
    agentAgeHours: 6,
    hasOldRoots: true,
  })
  const fraud = add({
    ...bank,
    app: 'fraud',
    owner: objects.deployment('bank', 'fraud', '5c6d8f4b9', 1),
    name: 'fraud-5c6d8f4b9-wn6sd',
    node: nodes.c,
    address: '10.244.3.21',
    agentAgeHours: 3,
  })
  fraud.fault = {type: 'node-unreachable'}
  const [captured, ztunnel] = ambientPods(mesh, objects, nodes.b, roots)
  mesh.world.putPod(captured)
  mesh.world.putPod(ztunnel)
  connected.push(connectedProxy(gateway, outside), connectedProxy(ztunnel, [], {kind: 'ztunnel'}))
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 1)
  mesh.world.putPod(istiodPod(mesh, istiod, {suffix: 'k2v5n', node: nodes.b, address: '10.244.2.3'}, () => connected))
}

/** A pod that has nothing to do with the mesh. */
function staticSite(mesh: Mesh, owner: OwnerReference, node: {readonly name: string; readonly address: string}) {
  return plainPod({
    phase: 'Running',
    identity: {
      namespace: 'shop',
      name: `${owner.name}-c6mbz`,
      owner,
      node,
      address: '10.244.1.15',
      serviceAccount: 'default',
      createdMs: mesh.startedMs - 2 * dayMs,
      labels: {app: 'static-site', 'pod-template-hash': '5f7b8c6d9'},
    },
    containers: [appContainer('registry.example/static-site:3', 'running')],
  })
}
