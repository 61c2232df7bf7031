import type {Fault} from '../fault.ts'
import {copyCertificate} from '../pki/certificate-copier.ts'
import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import {clusterObjects} from './cluster-objects.ts'
import type {Mesh} from './mesh.ts'
import {manifestTemplate} from './manifest-template.ts'
import {uidOf} from './object-values.ts'
import type {OwnerReference, PodIdentity, PodPlan} from './pod-manifest.ts'
import {proxiedPod} from './proxied-pod.ts'
import {appContainer, initContainer, injectionStatus, proxyContainer, proxyVolumes} from './proxy-container.ts'
import {lazyCertificate, spiffeId, workloadLifetimeMs} from './workload-certificates.ts'

export interface FleetOptions {
  readonly pods: number
  readonly faultShare: number
  readonly seed: number
}

const hourMs = 3_600_000
const maxPods = 10_000
const podsInDeployment = 20
const deploymentsInNamespace = 10
const podsOnNode = 100

/** Faults that a share of the fleet gets, in turn. */
const fleetFaults: readonly Fault[] = [
  {type: 'refuse'},
  {type: 'node-unreachable'},
  {type: 'cut-off', afterBytes: 700},
  {type: 'garbage'},
  {type: 'empty'},
  {type: 'html'},
  {type: 'status', status: 503},
  {type: 'clock-skew', skewMs: 90_000},
]

/**
 * A fleet of injected pods, all well but for a share of faults. Manifests and certificates are made when they are
 * asked for: a start costs milliseconds, whatever the number. Throws RangeError above 10,000 pods.
 */
export function buildFleet(mesh: Mesh, {pods, faultShare, seed}: FleetOptions): void {
  if (!Number.isInteger(pods) || pods < 0 || pods > maxPods)
    throw new RangeError(`a fleet has 0 to ${String(maxPods)} pods`)
  const objects = clusterObjects(mesh)
  const roots = [mesh.authority.root]
  objects.namespace('istio-system', roots)
  const podAt = fleetPods(mesh)
  const random = randomNumbers(seed)
  let node = {name: '', address: ''}
  let owner: OwnerReference | undefined
  let faulty = 0
  for (let index = 0; index < pods; index += 1) {
    const deployment = Math.floor(index / podsInDeployment)
    const namespace = `team-${pad(Math.floor(deployment / deploymentsInNamespace), 2)}`
    const app = `app-${pad(deployment % deploymentsInNamespace, 1)}`
    if (index % podsOnNode === 0) {
      const number = Math.floor(index / podsOnNode)
      node = objects.node(`node-${pad(number, 3)}`, `172.18.${String(number >> 8)}.${String((number & 255) + 1)}`)
    }
    if (index % (podsInDeployment * deploymentsInNamespace) === 0) objects.namespace(namespace, roots)
    if (owner === undefined || index % podsInDeployment === 0) {
      const replicas = Math.min(podsInDeployment, pods - index)
      owner = objects.deployment(namespace, app, uidOf('hash', namespace, app).slice(0, 8), replicas)
      objects.serviceAccount(namespace, app)
    }
    const pod = podAt({namespace, app, owner, node, index})
    if (random() < faultShare) {
      const fault = fleetFaults[faulty % fleetFaults.length]
      faulty += 1
      if (fault !== undefined) pod.fault = fault
    }
    mesh.world.putPod(pod)
  }
}

interface Place {
  readonly namespace: string
  readonly app: string
  readonly owner: OwnerReference
  readonly node: {readonly name: string; readonly address: string}
  readonly index: number
}

/** Pods by place; certificates of one service account are copies of one that is issued at first need. */
function fleetPods(mesh: Mesh) {
  const example = planOf(slots)
  const write = manifestTemplate(example)
  const templates = new Map<string, Promise<IssuedCertificate>>()
  const templateOf = async (namespace: string, app: string, notBeforeMs: number, notAfterMs: number) => {
    const key = `${namespace}/${app}`
    const known = templates.get(key)
    if (known !== undefined) return await known
    const issued = mesh.authority.issue({subject: '', uris: [spiffeId(namespace, app)], notBeforeMs, notAfterMs})
    templates.set(key, issued)
    return await issued
  }
  return ({namespace, app, owner, node, index}: Place) => {
    const issuedMs = mesh.startedMs - hourMs - (index % 600) * 30_000
    const identity = identityOf({
      namespace,
      app,
      owner,
      node,
      name: `${owner.name}-${uidOf('Pod', namespace, app, String(index)).slice(0, 5)}`,
      address: `10.${String(64 + (index >> 16))}.${String((index >> 8) & 255)}.${String(index & 255)}`,
      createdMs: issuedMs - 60_000,
    })
    const plan = {...example, identity}
    const certificate = lazyCertificate(
      issuedMs - 120_000,
      issuedMs + workloadLifetimeMs,
      async (from, to) =>
        await copyCertificate(await templateOf(namespace, app, from, to), from, to, mesh.authority.sign),
    )
    return proxiedPod(mesh, {
      plan,
      manifest: () => write(plan),
      role: 'sidecar',
      certificates: {agent: certificate, proxy: certificate, roots: [mesh.authority.root]},
    })
  }
}

interface FleetIdentity {
  readonly namespace: string
  readonly app: string
  readonly name: string
  readonly owner: OwnerReference
  readonly node: {readonly name: string; readonly address: string}
  readonly address: string
  readonly createdMs: number
}

/** Words that stand in the example where a pod's own values come. */
const slots: FleetIdentity = {
  namespace: 'slot-namespace',
  app: 'slot-app',
  name: 'slot-pod',
  owner: {apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'slot-owner-slothash', uid: 'slot-owneruid'},
  node: {name: 'slot-node', address: 'slot-hostaddress'},
  address: 'slot-address',
  createdMs: 0,
}

function identityOf({namespace, app, name, owner, node, address, createdMs}: FleetIdentity): PodIdentity {
  return {
    namespace,
    name,
    owner,
    node,
    address,
    createdMs,
    serviceAccount: app,
    labels: {
      app,
      'pod-template-hash': owner.name.split('-').at(-1) ?? '',
      'security.istio.io/tlsMode': 'istio',
      'service.istio.io/canonical-name': app,
      'service.istio.io/canonical-revision': 'latest',
    },
    annotations: {
      'istio.io/rev': 'default',
      'kubectl.kubernetes.io/default-container': 'app',
      'kubectl.kubernetes.io/default-logs-container': 'app',
      'prometheus.io/path': '/stats/prometheus',
      'prometheus.io/port': '15020',
      'prometheus.io/scrape': 'true',
      'sidecar.istio.io/status': injectionStatus(false),
    },
  }
}

function planOf(identity: FleetIdentity): PodPlan {
  return {
    phase: 'Running',
    identity: identityOf(identity),
    containers: [
      appContainer('registry.example/app:1.4.2', 'running'),
      proxyContainer({role: 'sidecar', workload: identity.app, state: 'running'}),
    ],
    initContainers: [initContainer()],
    volumes: proxyVolumes(),
  }
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
