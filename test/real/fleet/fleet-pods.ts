import type {Api} from '../cluster/api.ts'
import {ADDRESS, type PodObject, SIMULATED} from '../kubelet/pod-object.ts'
import {podAddress} from './pod-network.ts'

/** Name of the emulated node that the fleet's pods run on. */
export const FLEET_NODE = 'fleet'

/** Namespace of the pod whose proxy has thousands of clusters. */
export const WIDE_NAMESPACE = 'wide'

const NAMESPACES = 10

/** A pod of the fleet before it is written. */
export interface FleetPod {
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Of its network, where it has one: simulated agents have none. */
  readonly number?: number
}

/** Pods in ten namespaces, `count` of them. */
export function fleetPods(count: number, prefix: string, isReal: boolean): readonly FleetPod[] {
  return Array.from({length: count}, (_, index) => ({
    namespace: `${prefix}-${String(index % NAMESPACES)}`,
    name: `${prefix}-${String(index).padStart(4, '0')}`,
    labels: {app: prefix, fleet: prefix, ...(index < 50 && {part: 'first'})},
    ...(isReal && {number: index}),
  }))
}

/** Creates a namespace whose pods are injected, with the service account `app`. */
export async function createNamespace(api: Api, name: string, isSimulated: boolean): Promise<void> {
  const labels = {'istio-injection': 'enabled', ...(isSimulated && {[SIMULATED]: 'true'})}
  await api.send('POST', '/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name, labels}})
  const account = {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'app'}}
  await api.send('POST', `/api/v1/namespaces/${name}/serviceaccounts`, account)
}

/** Creates a pod as a user writes it; istiod's webhook adds the proxy. */
export async function createPod(api: Api, {namespace, name, labels, number}: FleetPod): Promise<void> {
  const annotations = {
    'sidecar.istio.io/nativeSidecar': 'false',
    'sidecar.istio.io/interceptionMode': 'NONE',
    'proxy.istio.io/config': JSON.stringify({interceptionMode: 'NONE', concurrency: 1}),
    ...(number !== undefined && {[ADDRESS]: podAddress(number)}),
  }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, labels, annotations},
    spec: {
      nodeName: FLEET_NODE,
      serviceAccountName: 'app',
      enableServiceLinks: false,
      containers: [{name: 'app', image: 'example/app:1'}],
    },
  }
  await api.send('POST', `/api/v1/namespaces/${namespace}/pods`, pod)
}

/** The pod, once its kubelet says that it runs. */
export async function runningPod(api: Api, {namespace, name}: FleetPod): Promise<PodObject | undefined> {
  const pod = (await api.send('GET', `/api/v1/namespaces/${namespace}/pods/${name}`)) as PodObject
  return pod.status.phase === 'Running' ? pod : undefined
}

/** Services of the wide namespace alone: each is a cluster in the proxies there. */
export function wideServices(clusters: number): readonly object[] {
  const inEntry = 100
  return Array.from({length: clusters / inEntry}, (_, entry) => ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'ServiceEntry',
    metadata: {name: `services-${String(entry)}`, namespace: WIDE_NAMESPACE},
    spec: {
      exportTo: ['.'],
      hosts: Array.from({length: inEntry}, (_, host) => `service-${String(entry * inEntry + host)}.example`),
      ports: [{number: 8080, name: 'http', protocol: 'HTTP'}],
      location: 'MESH_INTERNAL',
      resolution: 'STATIC',
      endpoints: [{address: '10.250.0.1'}],
    },
  }))
}
