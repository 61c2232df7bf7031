import {type CertificateAuthority, makeCertificateAuthority} from '../pki/certificate-authority.ts'
import {putCertificate} from './certificate-objects.ts'
import {clusterObjects} from './cluster-objects.ts'
import {gatewayPod, outsideCertificate} from './gateway-pod.ts'
import type {ConnectedProxy} from '../agents/istiod.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import {sidecarPod, type SidecarWorkload} from './sidecar-pod.ts'
import {type LazyCertificate, lazyCertificate, spiffeId} from './workload-certificates.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const NAMESPACE = 'checks'

/** For each rule on certificates and their renewal a workload that breaks it, called as what is wrong, and one that is well. */
export async function buildChecks(mesh: Mesh): Promise<void> {
  const {startedMs, authority} = mesh
  const objects = clusterObjects(mesh)
  const roots = [authority.root]
  for (const name of [NAMESPACE, 'istio-system']) objects.namespace(name, roots)
  const node = objects.node('node-a', '172.18.0.2')
  const other = await makeCertificateAuthority('O=other.example', startedMs - 30 * dayMs, startedMs + 3620 * dayMs)
  const ended = await makeCertificateAuthority('O=ended.example', startedMs - 30 * dayMs, startedMs - dayMs)
  const connected: ConnectedProxy[] = []
  let address = 10
  const add = (app: string, how: Partial<SidecarWorkload> = {}, trusted = roots): void => {
    address += 1
    objects.serviceAccount(NAMESPACE, app)
    const owner = objects.deployment(NAMESPACE, app, '5d8f7c9b6', 1)
    const base = {namespace: NAMESPACE, app, owner, name: app, node, address: `10.244.1.${String(address)}`}
    const pod = sidecarPod(mesh, {...base, ...how}, trusted)
    mesh.world.putPod(pod)
    connected.push(connectedProxy(pod))
  }
  add('well', {agentAgeHours: 3})
  add('overdue', {agentAgeHours: 14})
  // It renews with a fifth of the life left: the same age is well.
  add('late-by-design', {agentAgeHours: 14, env: {SECRET_GRACE_PERIOD_RATIO: '0.2'}})
  add('broken', {certificate: workload(mesh, other, 'broken')})
  add('untrusted', {certificate: workload(mesh, other, 'untrusted', {withRoot: true})})
  add('stranger', {certificate: workload(mesh, authority, 'somebody-else')})
  add('foreign', {env: {TRUST_DOMAIN: 'foreign.example'}})
  add('weak', {certificate: workload(mesh, authority, 'weak', {isWeak: true})})
  add('spire', {isSpire: true})
  add('rootless', {}, [ended.root])
  const gateway = (name: string, secrets: Parameters<typeof gatewayPod>[2]) => {
    address += 1
    const app = `${name}-istio`
    objects.serviceAccount(NAMESPACE, app)
    const owner = objects.deployment(NAMESPACE, app, '7c9f5d8b6', 1)
    const place = {
      namespace: NAMESPACE,
      gateway: name,
      owner,
      suffix: 'q4m2d',
      node,
      address: `10.244.1.${String(address)}`,
      roots,
    }
    const pod = gatewayPod(mesh, place, secrets)
    mesh.world.putPod(pod)
    return connectedProxy(pod, secrets)
  }
  const aged = (name: string, days: number) => ({
    name: `kubernetes://${name}-cert`,
    certificate: outsideCertificate(mesh, `${name}.example.com`, days),
  })
  const [renewed, stuck, late] = [aged('renewed', 20), aged('stuck', 20), aged('late', 62)]
  connected.push(
    gateway('soon', [aged('soon', 80)]),
    gateway('urgent', [aged('urgent', 84)]),
    gateway('renewed', [renewed]),
    gateway('stuck', [stuck]),
    gateway('late', [late]),
    gateway('gap', [{name: 'kubernetes://gap-cert', certificate: withGap(mesh)}]),
  )
  putCertificate(mesh, NAMESPACE, {name: 'renewed', secretName: 'renewed-cert', certificate: renewed.certificate})
  putCertificate(mesh, NAMESPACE, {name: 'late', secretName: 'late-cert', certificate: late.certificate})
  putCertificate(mesh, NAMESPACE, {
    name: 'stuck',
    secretName: 'stuck-cert',
    certificate: stuck.certificate,
    notReady: {reason: 'Failed', message: 'the order is invalid'},
  })
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 1)
  mesh.world.putPod(istiodPod(mesh, istiod, {suffix: 'k2v5n', node, address: '10.244.1.3'}, () => connected))
}

/** A workload's certificate of an hour ago; `withRoot` has its root beside it, as istiod sends it. */
function workload(
  {startedMs}: Mesh,
  authority: CertificateAuthority,
  account: string,
  {withRoot = false, isWeak = false}: {readonly withRoot?: boolean; readonly isWeak?: boolean} = {},
): LazyCertificate {
  return lazyCertificate(startedMs - hourMs - 120_000, startedMs + 23 * hourMs, async (notBeforeMs, notAfterMs) => {
    const request = {subject: '', uris: [spiffeId(NAMESPACE, account)], notBeforeMs, notAfterMs, isWeak}
    const issued = await authority.issue(request)
    return withRoot ? {...issued, pem: issued.pem + authority.root.pem} : issued
  })
}

/** A chain in which another CA stands where the one that signed should be. */
function withGap(mesh: Mesh): LazyCertificate {
  const whole = outsideCertificate(mesh, 'gap.example.com', 20)
  return lazyCertificate(whole.notBeforeMs, whole.notAfterMs, async () => {
    const issued = await whole.issue()
    return {...issued, pem: issued.pem + mesh.authority.root.pem}
  })
}
