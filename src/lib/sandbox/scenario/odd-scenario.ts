import {generateKeyPairSync} from 'node:crypto'
import {resourceTypes} from '../api/resource-types.ts'
import type {ConnectedProxy} from '../agents/istiod.ts'
import {ztunnelOwner, ztunnelPod} from './ambient-pods.ts'
import {clusterObjects} from './cluster-objects.ts'
import {cniOwner, cniPod} from './cni-pod.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import {sidecarPod, type SidecarWorkload} from './sidecar-pod.ts'
import {lazyCertificate, type LazyCertificate, spiffeId, workloadCertificate} from './workload-certificates.ts'

const NAMESPACE = 'odd'
const hourMs = 3_600_000

/** A mesh in which what hardly ever goes wrong does: each of its workloads, `NAME-0`, in one way. */
export function buildOdd(mesh: Mesh): void {
  const objects = clusterObjects(mesh)
  const roots = [mesh.authority.root]
  for (const name of [NAMESPACE, 'istio-system']) objects.namespace(name, roots)
  const node = objects.node('node-a', '172.18.0.2')
  const connected: ConnectedProxy[] = []
  const workloads: Readonly<Record<string, Partial<SidecarWorkload>>> = {
    early: {certificate: issuedAt(mesh, 'early', mesh.startedMs + hourMs)},
    garbled: {certificate: withText(mesh, 'garbled', (pem) => pem.replace(/\n[^-]+\n/s, '\nbm8gY2VydGlmaWNhdGU=\n'))},
    leaky: {certificate: withText(mesh, 'leaky', (pem) => `${pem}${newKeyPem()}`)},
    // Its agent was started again from an old copy.
    rewound: {agentAgeHours: 11, proxyAgeHours: 1},
    idle: {isUninitialized: true},
    skewed: {},
  }
  for (const [index, [app, how]] of Object.entries(workloads).entries()) {
    objects.serviceAccount(NAMESPACE, app)
    const owner = objects.statefulSet(NAMESPACE, app, 1)
    const place = {namespace: NAMESPACE, app, owner, name: `${app}-0`, node, address: `10.244.1.${String(11 + index)}`}
    const pod = sidecarPod(mesh, {...place, ...how}, roots)
    mesh.world.putPod(pod)
    connected.push(connectedProxy(pod))
    if (app === 'skewed') pod.fault = {type: 'clock-skew', skewMs: 90_000}
  }
  const ztunnel = ztunnelPod(
    mesh,
    {owner: ztunnelOwner(objects, 1), suffix: 'aaaaa', node, address: '10.244.1.2'},
    {
      certificates: () => [
        {identity: spiffeId(NAMESPACE, 'denied'), state: 'Unavailable: the CA refused it', chain: [], roots: []},
      ],
      workloads: () => [{uid: 'denied', name: 'denied-0', namespace: NAMESPACE, serviceAccount: 'denied'}],
    },
  )
  mesh.world.putPod(ztunnel)
  connected.push(connectedProxy(ztunnel, [], {kind: 'ztunnel'}))
  const cni = {node, suffix: 'aaaaa'}
  mesh.world.putPod(cniPod(mesh, cniOwner(objects, 1), cni, {isInstalled: () => true, hasZtunnel: () => true}))
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 1)
  mesh.world.putPod(istiodPod(mesh, istiod, {suffix: 'k2v5n', node, address: '10.244.1.3'}, () => connected))
  letReadAll(mesh, 'ztunnel')
}

/** A role that lets a service account of the control plane's namespace read whatever there is. */
function letReadAll({world}: Mesh, account: string): void {
  const name = `${account}-reads-all`
  world.putManifest(resourceTypes.clusterroles, {
    metadata: {name},
    rules: [{verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*']}],
  })
  world.putManifest(resourceTypes.clusterrolebindings, {
    metadata: {name},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name},
    subjects: [{kind: 'ServiceAccount', name: account, namespace: 'istio-system'}],
  })
}

function issuedAt({authority}: Mesh, app: string, atMs: number): LazyCertificate {
  return workloadCertificate(authority, NAMESPACE, app, atMs + 120_000)
}

/** What both sides hold in place of a certificate. */
function withText(mesh: Mesh, app: string, textOf: (pem: string) => string): LazyCertificate {
  const {notBeforeMs, notAfterMs, issue} = issuedAt(mesh, app, mesh.startedMs - hourMs)
  return lazyCertificate(notBeforeMs, notAfterMs, async () => {
    const issued = await issue()
    return {...issued, pem: textOf(issued.pem)}
  })
}

/** A key that belongs to nothing. */
function newKeyPem(): string {
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
}
