import {ApiError, type Api} from '../cluster/api.ts'
import {NODE_IP} from '../cluster/pki.ts'

/** A node of the emulated kubelet. */
export interface EmulatedNode {
  readonly name: string
  /** Whether it declares that it takes WebSockets; else the API server speaks SPDY to it, as before 1.36. */
  readonly takesWebSockets: boolean
}

/** Nodes of the emulated kubelet beside the real one: as since Kubernetes 1.36, and as before. */
export const EMULATED_NODES: readonly EmulatedNode[] = [
  {name: 'emulated', takesWebSockets: true},
  {name: 'emulated-spdy', takesWebSockets: false},
]

/** Registers a node, whose kubelet listens on `port`, as ready. */
export async function registerNode(api: Api, {name, takesWebSockets}: EmulatedNode, port: number): Promise<void> {
  const node = {apiVersion: 'v1', kind: 'Node', metadata: {name, labels: {'kubernetes.io/hostname': name}}}
  await api.send('POST', '/api/v1/nodes', node).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 409)) throw error
  })
  const now = new Date().toISOString()
  const ready = {type: 'Ready', status: 'True', reason: 'Emulated', lastHeartbeatTime: now, lastTransitionTime: now}
  const status = {
    addresses: [
      {type: 'InternalIP', address: NODE_IP},
      {type: 'Hostname', address: name},
    ],
    conditions: [ready],
    daemonEndpoints: {kubeletEndpoint: {Port: port}},
    capacity: {pods: '20000', cpu: '64', memory: '256Gi'},
    allocatable: {pods: '20000', cpu: '64', memory: '256Gi'},
    ...(takesWebSockets && {declaredFeatures: ['ExtendWebSocketsToKubelet']}),
  }
  await api.send('PATCH', `/api/v1/nodes/${name}/status`, {status}, 'application/merge-patch+json')
}
