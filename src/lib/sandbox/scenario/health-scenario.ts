import {resourceTypes} from '../api/resource-types.ts'
import type {ConnectedProxy} from '../agents/istiod.ts'
import {ztunnelOwner, ztunnelPod} from './ambient-pods.ts'
import {clusterObjects} from './cluster-objects.ts'
import {connectedProxy, istiodPod} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import type {Health} from './proxied-pod.ts'
import {sidecarPod, type SidecarWorkload} from './sidecar-pod.ts'

/** How one workload is ill; nothing: it is well. */
type Illness = Pick<SidecarWorkload, 'agentAgeHours' | 'health' | 'proxyState' | 'env' | 'annotations'>

/** Certificates live for a day, and are renewed at half of it. */
const PAST_RENEWAL_HOURS = 13

/** Of each workload one pod, `NAME-0`. */
const WORKLOADS: Readonly<Record<string, Illness>> = {
  well: {},
  // It started before istiod was there, and got its certificate later.
  recovered: {health: {counts: failed(1)}},
  unready: {health: {isAgentReady: false}, proxyState: 'unready'},
  // Its endpoint is well, and the kubelet's probe does not reach it.
  unreached: {proxyState: 'unready'},
  crashing: {proxyState: 'crashing'},
  draining: {health: {serverState: 'DRAINING'}},
  refused: {agentAgeHours: PAST_RENEWAL_HOURS, health: {counts: failed(6)}},
  misconfigured: {
    annotations: {'status.sidecar.istio.io/port': 'none', 'proxy.istio.io/config': '- concurrency: 2'},
    env: {SECRET_TTL: 'one day', SECRET_GRACE_PERIOD_RATIO: '50%'},
  },
  relative: {env: {OUTPUT_CERTS: 'certs'}},
  // All is as it should be, and said in other ways.
  configured: {
    annotations: {'proxy.istio.io/config': 'concurrency: 2', 'status.sidecar.istio.io/port': '15020'},
    env: {SECRET_TTL: '1h30m', SECRET_GRACE_PERIOD_RATIO: '0.4', OUTPUT_CERTS: '/etc/certs', PROXY_CONFIG: 'a: 1'},
  },
  // At each reading one more has failed.
  failing: {health: {counts: growing('istio_agent_num_failed_outgoing_requests{request_type="csr"}')}},
  cut: {health: {counts: growing('istio_agent_istiod_connection_terminations{type="error"}')}},
  closed: {health: {counts: growing('istio_agent_istiod_connection_terminations{type="cancelled"}')}},
}

/** A mesh in which agents and proxies are ill, each in one way. */
export function buildHealth(mesh: Mesh): void {
  const objects = clusterObjects(mesh)
  const roots = [mesh.authority.root]
  for (const name of ['istio-system', 'health']) objects.namespace(name, roots)
  const node = objects.node('node-a', '172.18.0.2')
  const connected: ConnectedProxy[] = []
  for (const [index, [app, illness]] of Object.entries(WORKLOADS).entries()) {
    objects.serviceAccount('health', app)
    const owner = objects.statefulSet('health', app, 1)
    const address = `10.244.1.${String(11 + index)}`
    const workload = {namespace: 'health', app, name: `${app}-0`, owner, node, address, ...illness}
    const pod = sidecarPod(mesh, {agentAgeHours: 2, ...workload}, roots)
    mesh.world.putPod(pod)
    connected.push(connectedProxy(pod))
  }
  const istiod = objects.deployment('istio-system', 'istiod', '66d8b9c7f', 2)
  const place = {node, address: '10.244.1.2'}
  mesh.world.putPod(istiodPod(mesh, istiod, {...place, suffix: 'ready'}, () => connected))
  mesh.world.putPod(istiodPod(mesh, istiod, {...place, suffix: 'starting', isReady: false}, () => []))
  const empty = {certificates: () => [], workloads: () => []}
  const owner = ztunnelOwner(objects, 2)
  const ztunnel = ztunnelPod(mesh, {...place, owner, suffix: 'ready'}, empty)
  mesh.world.putPod(ztunnel)
  connected.push(connectedProxy(ztunnel, [], {kind: 'ztunnel'}))
  const starting = {...empty, pending: ['proxy', 'state manager']}
  mesh.world.putPod(ztunnelPod(mesh, {...place, owner, suffix: 'starting'}, starting))
  addRoles(mesh)
}

/** A role that fits the ztunnels, and a broad one that none of the agents has. */
function addRoles({world}: Mesh): void {
  const apiGroup = 'rbac.authorization.k8s.io'
  const bind = (name: string, subject: Readonly<Record<string, string>>, rules: readonly unknown[]): void => {
    world.putManifest(resourceTypes.clusterroles, {metadata: {name}, rules})
    world.putManifest(resourceTypes.clusterrolebindings, {
      metadata: {name: `${name}-binding`},
      roleRef: {apiGroup, kind: 'ClusterRole', name},
      subjects: [subject],
    })
  }
  const read = ['get', 'list', 'watch']
  bind('ztunnel', {kind: 'ServiceAccount', name: 'ztunnel', namespace: 'istio-system'}, [
    {verbs: read, apiGroups: [''], resources: ['nodes']},
  ])
  bind('auditor', {kind: 'User', name: 'auditor'}, [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}])
}

/** As many failed requests since the start. */
function failed(count: number): NonNullable<Health['counts']> {
  return () => ({
    'istio_agent_num_outgoing_requests{request_type="csr"}': count,
    'istio_agent_num_failed_outgoing_requests{request_type="csr"}': count,
  })
}

function growing(sample: string): NonNullable<Health['counts']> {
  let count = 0
  return () => {
    count += 1
    return {[sample]: count}
  }
}
