import {type CniModel, cniPorts} from '../agents/istio-cni.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {ClusterObjects} from './cluster-objects.ts'
import type {Mesh} from './mesh.ts'
import {plainPod} from './plain-pod.ts'
import type {OwnerReference} from './pod-manifest.ts'

const hourMs = 3_600_000

/** The owner of all istio-cni pods: meant for so many nodes, and ready on so many, which is all where absent. */
export function cniOwner(objects: ClusterObjects, nodes: number, ready = nodes): OwnerReference {
  return objects.daemonSet('istio-system', 'istio-cni-node', nodes, cniLabels, ready)
}

const cniLabels = {'k8s-app': 'istio-cni-node', 'app.kubernetes.io/name': 'istio-cni'}

/** A node's istio-cni. */
export function cniPod(
  mesh: Mesh,
  owner: OwnerReference,
  {node, suffix}: {readonly node: {readonly name: string; readonly address: string}; readonly suffix: string},
  model: CniModel,
): SimulatedPod {
  return plainPod(
    {
      phase: 'Running',
      identity: {
        namespace: 'istio-system',
        name: `${owner.name}-${suffix}`,
        labels: {...cniLabels, 'sidecar.istio.io/inject': 'false', 'istio.io/dataplane-mode': 'none'},
        owner,
        node,
        address: '10.244.2.4',
        serviceAccount: 'istio-cni',
        createdMs: mesh.startedMs - 48 * hourMs,
        annotations: {'prometheus.io/port': '15014', 'prometheus.io/scrape': 'true'},
      },
      containers: [
        {
          state: 'running',
          spec: {
            name: 'install-cni',
            image: 'registry.istio.io/release/install-cni:1.31.0-distroless',
            command: ['install-cni'],
            ports: [{containerPort: 15014, name: 'metrics', protocol: 'TCP'}],
          },
        },
      ],
    },
    cniPorts(model),
  )
}
