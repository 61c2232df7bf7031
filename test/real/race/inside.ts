import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import type {RaceSite} from '../../../scripts/bench/race.ts'
import {Api} from '../cluster/api.ts'
import {type Cluster, startCluster} from '../cluster/start-cluster.ts'
import {copyPods} from '../fleet/copy-pods.ts'
import {FLEET_NODE} from '../fleet/fleet-pods.ts'
import {startFleet, startSimulated} from '../fleet/start-fleet.ts'
import {startKubelet} from '../kubelet/start-kubelet.ts'
import {ownMounts, STATE} from '../machine/mounts.ts'
import {startRacePod} from '../mesh/start-race-pod.ts'
import {startIstio} from '../mesh/start-istio.ts'
import type {Parts} from '../parts/build-parts.ts'
import type {PodObject} from '../kubelet/pod-object.ts'
import {spawnInherited} from '../spawn-inherited.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Brings up a mesh with a fleet, and lets the legs of the race run on it one by one, each in a process of its own. */
async function main(): Promise<void> {
  const options = {pods: {type: 'string', default: '200'}, simulated: {type: 'string', default: '0'}} as const
  const {values} = parseArgs({options: {...options, quick: {type: 'boolean'}}})
  const pods = Number(values.pods)
  const simulated = Number(values.simulated)
  const times = (runs: number): number => (values.quick === true ? 1 : runs)
  const parts = JSON.parse(process.env['REAL_PARTS'] ?? '') as Parts
  await ownMounts()
  const cluster = await startCluster(parts, STATE, process.env['REAL_LOGS'] ?? '')
  await startIstio(cluster, parts.istioctl)
  await startRacePod(cluster)
  report('Mesh')
  const run = await legsOf(cluster, parts)
  await run('start', '', '', times(25))
  await run('one', 'One pod, on a real kubelet', 'cart-1.shop', times(15))
  const api = await Api.open(cluster.pki)
  startKubelet(cluster, [{name: FLEET_NODE, takesWebSockets: true}])
  await startFleet(cluster, api, parts, STATE, {real: pods, clusters: 5000})
  report(`Fleet of ${String(pods)}`)
  await run('one', 'One pod, on the emulated kubelet', 'real-0000.real-0', times(15))
  await run('one', 'One pod whose proxy has 5,000 clusters', 'wide-1.wide', times(9))
  if (pods > 50) await run('fleet', '50 pods', 'part=first', times(5))
  await run('fleet', `${String(pods)} pods`, 'fleet=real', times(5))
  if (simulated > 0) {
    await startSimulated(api, simulated)
    report(`Simulated fleet of ${String(simulated)}`)
    await run('fleet', `${String(simulated)} simulated pods`, 'fleet=simulated', 1)
  }
  await lists(api, run, times)
  process.exit()
}

type RunLeg = (leg: string, title: string, what: string, runs: number) => Promise<void>

async function lists(api: Api, run: RunLeg, times: (runs: number) => number): Promise<void> {
  const pod = (await api.send('GET', '/api/v1/namespaces/real-0/pods/real-0000')) as PodObject
  await copyPods(pod, 0, 1000)
  await run('list', 'List of 1,000 further pods', '', times(5))
  await copyPods(pod, 1000, 9000)
  report('10,000 pods')
  await run('list', 'List of 10,000 further pods', '', times(3))
}

async function legsOf({kubeconfig}: Cluster, {kubectl, istioctl}: Parts): Promise<RunLeg> {
  const folder = join(ROOT, 'bench', 'results')
  await mkdir(folder, {recursive: true})
  const results = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-real.json`)
  const site: RaceSite = {kubeconfig, kubectl, istioctl, results}
  const bun = join(ROOT, 'node_modules', '.bin', 'bun')
  return async (leg, title, what, runs) => {
    const command = [bun, join(ROOT, 'scripts', 'bench', 'race.ts'), leg, title, what, String(runs)] as const
    const code = await spawnInherited(command, {...process.env, RACE_SITE: JSON.stringify(site)})
    if (code !== 0) throw new Error(`${title} ended with ${String(code)}`)
  }
}

function report(what: string): void {
  process.stderr.write(`${what} up after ${(performance.now() / 1000).toFixed(0)} s\n`)
}

await main()
