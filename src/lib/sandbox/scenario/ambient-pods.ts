import {ztunnelPorts} from '../agents/ztunnel.ts'
import type {ZtunnelModel} from '../agents/ztunnel.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {ClusterObjects} from './cluster-objects.ts'
import type {Mesh} from './mesh.ts'
import {plainPod} from './plain-pod.ts'
import type {OwnerReference} from './pod-manifest.ts'

const hourMs = 3_600_000

/** Where a pod of an ambient mesh runs. */
interface Spot {
  readonly node: {readonly name: string; readonly address: string}
  readonly address: string
}

/** A pod that has no proxy of its own: its node's ztunnel carries its traffic. Its service account is called as its app. */
export function capturedPod(
  mesh: Mesh,
  objects: ClusterObjects,
  {namespace, app, hash, suffix, node, address}: Spot & Record<'namespace' | 'app' | 'hash' | 'suffix', string>,
): SimulatedPod {
  return plainPod({
    phase: 'Running',
    identity: {
      namespace,
      name: `${app}-${hash}-${suffix}`,
      labels: {app, 'pod-template-hash': hash},
      owner: objects.deployment(namespace, app, hash, 1),
      node,
      address,
      serviceAccount: app,
      createdMs: mesh.startedMs - 30 * hourMs,
      annotations: {'ambient.istio.io/redirection': 'enabled'},
    },
    containers: [{state: 'running', spec: {name: 'app', image: `registry.example/${app}:2.0`}}],
  })
}

/** The owner of all ztunnels of a mesh. */
export function ztunnelOwner(objects: ClusterObjects, nodes: number): OwnerReference {
  return objects.daemonSet('istio-system', 'ztunnel', nodes, ztunnelLabels)
}

/** A node's ztunnel, and what it holds. */
export function ztunnelPod(
  mesh: Mesh,
  {owner, suffix, node, address}: Spot & {readonly owner: OwnerReference; readonly suffix: string},
  model: Omit<ZtunnelModel, 'node'>,
): SimulatedPod {
  return plainPod(
    {
      phase: 'Running',
      identity: {
        namespace: 'istio-system',
        name: `ztunnel-${suffix}`,
        labels: {...ztunnelLabels, 'sidecar.istio.io/inject': 'false', 'istio.io/dataplane-mode': 'none'},
        owner,
        node,
        address,
        serviceAccount: 'ztunnel',
        createdMs: mesh.startedMs - 48 * hourMs,
        annotations: {'prometheus.io/port': '15020', 'prometheus.io/scrape': 'true'},
      },
      containers: [
        {
          state: 'running',
          spec: {
            name: 'istio-proxy',
            image: 'registry.istio.io/release/ztunnel:1.31.0-distroless',
            args: ['proxy', 'ztunnel'],
            ports: [{containerPort: 15020, name: 'ztunnel-stats', protocol: 'TCP'}],
          },
        },
      ],
    },
    ztunnelPorts({...model, node: node.name}, mesh.onMutation),
  )
}

const ztunnelLabels = {app: 'ztunnel', 'app.kubernetes.io/name': 'ztunnel'}
