import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {Api} from '../cluster/api.ts'
import {type PodObject, SIMULATED} from '../kubelet/pod-object.ts'
import {kubeletCommand} from '../kubelet/start-kubelet.ts'
import {kubectl, site} from '../site.ts'
import {waitUntil} from '../wait-until.ts'
import {copyPods, removeCopies} from './copy-pods.ts'

/** Pods with simulated agents, behind a kubelet that is a suite's own: it may be stopped. */
export interface SimulatedFleet {
  readonly kubelet: ChildProcess
  /** Names of the pods, in the order of a list. */
  readonly names: readonly string[]
  readonly close: () => Promise<void>
}

/** Where the fleet is: each suite has its own port, and a namespace and a node of one name. */
export interface SimulatedFleetOptions {
  readonly name: string
  readonly port: number
  readonly pods: number
}

/** Starts a fleet: one pod is written, injected and said to run, the others are its copies. */
export async function startSimulatedFleet({name, port, pods}: SimulatedFleetOptions): Promise<SimulatedFleet> {
  const [program, ...args] = kubeletCommand({pki: site.pki, port, nodes: [{name, takesWebSockets: true}]})
  const kubelet = spawn(program, args, {stdio: 'ignore'})
  await applySimulatedNamespace(name)
  await kubectl.apply([simulatedPod(name, 'copy-00000', name)])
  await kubectl.run(['wait', '-n', name, '--for=condition=Ready', 'pod/copy-00000', '--timeout=60s'])
  const api = await Api.open(site.pki)
  const path = `/api/v1/namespaces/${name}/pods`
  const first = (await api.send('GET', `${path}/copy-00000`)) as PodObject
  await copyPods(first, 1, pods - 1, () => ({namespace: name, nodeName: name}))
  const names = await waitUntil('the copies', 30_000, async () => {
    const {items} = (await api.send('GET', path)) as {readonly items: readonly PodObject[]}
    return items.length === pods ? items.map(({metadata}) => metadata.name) : undefined
  })
  return {
    kubelet,
    names,
    close: async () => {
      kubelet.kill('SIGKILL')
      await once(kubelet, 'exit')
      await removeCopies(name)
    },
  }
}

/** Makes a namespace whose pods are injected, and have simulated agents. */
export async function applySimulatedNamespace(name: string): Promise<void> {
  const labels = {'istio-injection': 'enabled', [SIMULATED]: 'true'}
  await kubectl.apply([
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name, labels}},
    {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'app', namespace: name}},
  ])
}

/** A pod of such a namespace, on a node. */
export function simulatedPod(namespace: string, name: string, nodeName: string): object {
  const annotations = {'sidecar.istio.io/nativeSidecar': 'false', 'sidecar.istio.io/interceptionMode': 'NONE'}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, namespace, labels: {app: namespace}, annotations},
    spec: {
      nodeName,
      serviceAccountName: 'app',
      enableServiceLinks: false,
      containers: [{name: 'app', image: 'example/app:1'}],
    },
  }
}
