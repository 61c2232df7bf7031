import {makeCertificateAuthority} from '../pki/certificate-authority.ts'
import type {CertificateAuthority, IssuedCertificate} from '../pki/certificate-authority.ts'
import {capturedPod, ztunnelOwner, ztunnelPod} from './ambient-pods.ts'
import {type ClusterObjects, clusterObjects} from './cluster-objects.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import {sidecarPod} from './sidecar-pod.ts'
import {spiffeId, workloadCertificate} from './workload-certificates.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The stages of a change of roots, in order. */
export const rotationStages = [
  'old-only',
  'both-published',
  'both-trusted',
  'new-signs',
  'old-unused',
  'new-published',
  'new-only',
] as const

export type RotationStage = (typeof rotationStages)[number]

type Which = 'old' | 'new'

/** What the control plane does, and what pods hold that renewed before it did the last step, and since. */
interface StageState {
  readonly published: readonly Which[]
  readonly signing: Which
  readonly early: {readonly trusts: readonly Which[]; readonly signedBy: Which}
  readonly late: {readonly trusts: readonly Which[]; readonly signedBy: Which}
}

const BOTH: readonly Which[] = ['old', 'new']

/** Roots reach a pod with its next certificate, so that pods are a step apart while a stage begins. */
const STAGES: Readonly<Record<RotationStage, StageState>> = {
  'old-only': stage(['old'], 'old', [['old'], 'old'], [['old'], 'old']),
  'both-published': stage(BOTH, 'old', [['old'], 'old'], [BOTH, 'old']),
  'both-trusted': stage(BOTH, 'old', [BOTH, 'old'], [BOTH, 'old']),
  'new-signs': stage(BOTH, 'new', [BOTH, 'old'], [BOTH, 'new']),
  'old-unused': stage(BOTH, 'new', [BOTH, 'new'], [BOTH, 'new']),
  'new-published': stage(['new'], 'new', [BOTH, 'new'], [['new'], 'new']),
  'new-only': stage(['new'], 'new', [['new'], 'new'], [['new'], 'new']),
}

function stage(
  published: readonly Which[],
  signing: Which,
  [earlyTrusts, earlySigner]: readonly [readonly Which[], Which],
  [lateTrusts, lateSigner]: readonly [readonly Which[], Which],
): StageState {
  return {
    published,
    signing,
    early: {trusts: earlyTrusts, signedBy: earlySigner},
    late: {trusts: lateTrusts, signedBy: lateSigner},
  }
}

/**
 * A mesh that changes its root, with sidecars and ztunnels half of which are a step behind the others. Old and new root
 * have the same name, as Istio's own do: only their keys tell them apart.
 */
export async function buildRotation(mesh: Mesh, at: RotationStage): Promise<void> {
  const {startedMs} = mesh
  const next = await makeCertificateAuthority('O=cluster.local', startedMs - hourMs, startedMs + 3650 * dayMs)
  const authorities: Readonly<Record<Which, CertificateAuthority>> = {old: mesh.authority, new: next}
  const rootsOf = (which: readonly Which[]): readonly IssuedCertificate[] => which.map((one) => authorities[one].root)
  const {published, signing, early, late} = STAGES[at]
  const objects = clusterObjects(mesh)
  for (const name of ['shop', 'bank', 'istio-system']) objects.namespace(name, rootsOf(published))
  const ztunnels = ztunnelOwner(objects, 2)
  const connected = [early, late].flatMap(({trusts, signedBy}, index) => {
    const half = {mesh: {...mesh, authority: authorities[signedBy]}, objects, roots: rootsOf(trusts), index}
    ambientHalf(half, ztunnels)
    return sidecarHalf(half)
  })
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 1)
  const place = {suffix: 'k2v5n', node: objects.node('node-1', '172.18.0.2'), address: '10.244.1.3'}
  mesh.world.putPod(istiodPod({...mesh, authority: authorities[signing]}, istiod, place, () => connected))
}

interface Half {
  /** With the authority that signed for this half. */
  readonly mesh: Mesh
  readonly objects: ClusterObjects
  readonly roots: readonly IssuedCertificate[]
  /** 0 is early, 1 late. */
  readonly index: number
}

function sidecarHalf({mesh, objects, roots, index}: Half) {
  const node = nodeOf(objects, index)
  return ['cart', 'search'].map((app, place) => {
    objects.serviceAccount('shop', app)
    const owner = objects.deployment('shop', app, '5d8f7c9b6', 2)
    const pod = sidecarPod(
      mesh,
      {
        namespace: 'shop',
        app,
        name: `${owner.name}-${index === 0 ? 'early' : 'late2'}`,
        owner,
        node,
        address: `10.244.${String(index + 1)}.${String(11 + place)}`,
        agentAgeHours: index === 0 ? 11 : 1,
      },
      roots,
    )
    mesh.world.putPod(pod)
    return connectedProxy(pod)
  })
}

function ambientHalf({mesh, objects, roots, index}: Half, owner: ReturnType<typeof ztunnelOwner>): void {
  const node = nodeOf(objects, index)
  const suffix = index === 0 ? 'early' : 'late2'
  const app = index === 0 ? 'rates' : 'ledger'
  objects.serviceAccount('bank', app)
  const address = `10.244.${String(index + 1)}.21`
  const pod = capturedPod(mesh, objects, {namespace: 'bank', app, hash: '6c7d9f5b8', suffix, node, address})
  const leaf = workloadCertificate(mesh.authority, 'bank', app, mesh.startedMs - (index === 0 ? 11 : 1) * hourMs)
  const certificate = {identity: spiffeId('bank', app), state: 'Available', chain: [leaf.issue], roots}
  const ztunnel = ztunnelPod(
    mesh,
    {owner, suffix, node, address: `10.244.${String(index + 1)}.2`},
    {
      certificates: () => [certificate],
      workloads: () => [{uid: pod.uid, name: pod.name, namespace: 'bank', serviceAccount: app}],
    },
  )
  mesh.world.putPod(pod)
  mesh.world.putPod(ztunnel)
}

function nodeOf(objects: ClusterObjects, index: number): {readonly name: string; readonly address: string} {
  return objects.node(`node-${String(index + 1)}`, `172.18.0.${String(index + 2)}`)
}
