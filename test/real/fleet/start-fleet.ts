import {get} from 'node:http'
import {join} from 'node:path'
import pMap from 'p-map'
import type {Api} from '../cluster/api.ts'
import type {Cluster} from '../cluster/start-cluster.ts'
import type {Parts} from '../parts/build-parts.ts'
import {waitUntil} from '../wait-until.ts'
import {type DataPlaneParts, exposePrograms, startDataPlane} from './data-plane.ts'
import {
  createNamespace,
  createPod,
  type FleetPod,
  fleetPods,
  runningPod,
  WIDE_NAMESPACE,
  wideServices,
} from './fleet-pods.ts'
import {KUBELET_ADDRESS, openBridge, openPodNetwork, podAddress} from './pod-network.ts'

/** What a fleet consists of. */
export interface FleetOptions {
  /** Pods with an agent and an Envoy of their own. */
  readonly real: number
  /** Clusters of the one proxy that has thousands. */
  readonly clusters: number
}

/** Starts a fleet on the emulated kubelet's node: pods `real-0000` and on, and `wide-1`. */
export async function startFleet(
  {processes, kubectl}: Cluster,
  api: Api,
  parts: Parts,
  folder: string,
  {real, clusters}: FleetOptions,
): Promise<void> {
  await openBridge(folder)
  const wide: FleetPod = {namespace: WIDE_NAMESPACE, name: 'wide-1', labels: {app: 'wide'}, number: real}
  const pods = [...fleetPods(real, 'real', true), wide]
  await createPods(api, pods, false)
  await kubectl.apply(wideServices(clusters))
  const programs = await exposePrograms(parts, join(folder, 'programs'))
  const planes: DataPlaneParts = {...programs, folder: join(folder, 'planes'), processes, api}
  // More at once only fight for the processor, until a handshake with istiod takes too long.
  await pMap(pods, async (pod) => await startReal(pod, planes), {concurrency: 6})
}

/** Starts pods `simulated-0000` and on, whose agents are the sandbox's. */
export async function startSimulated(api: Api, count: number): Promise<void> {
  const pods = fleetPods(count, 'simulated', false)
  await createPods(api, pods, true)
  await waitUntil('simulated pods to run', 120_000, async () => {
    const path = '/api/v1/pods?labelSelector=fleet%3Dsimulated&fieldSelector=status.phase%3DRunning'
    const {items} = (await api.send('GET', path)) as {readonly items: readonly unknown[]}
    return items.length === count ? true : undefined
  })
}

async function createPods(api: Api, pods: readonly FleetPod[], isSimulated: boolean): Promise<void> {
  const namespaces = new Set(pods.map(({namespace}) => namespace))
  await pMap(namespaces, async (name) => await createNamespace(api, name, isSimulated), {concurrency: 4})
  await pMap(pods, async (pod) => await createPod(api, pod), {concurrency: 8})
}

async function startReal(pod: FleetPod, parts: DataPlaneParts): Promise<void> {
  const {name, number = 0} = pod
  await openPodNetwork(name, number)
  const running = await waitUntil(`${name} to run`, 60_000, async () => await runningPod(parts.api, pod))
  await startDataPlane(running, number, parts)
  await waitUntil(`${name} to be ready`, 120_000, async () => await isReady(podAddress(number)))
}

/** Whether Envoy has all that it asks istiod for. */
async function isReady(host: string): Promise<true | undefined> {
  return await new Promise((resolve) => {
    const options = {host, port: 15_021, path: '/healthz/ready', localAddress: KUBELET_ADDRESS, agent: false}
    get(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? true : undefined)
    }).once('error', () => resolve(undefined))
  })
}
