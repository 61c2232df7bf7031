import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {newCounters} from '../../../src/lib/sandbox/counters.ts'
import {makeMesh} from '../../../src/lib/sandbox/scenario/mesh.ts'
import {World} from '../../../src/lib/sandbox/world.ts'
import {Api} from '../cluster/api.ts'
import {Pods} from './keep-pods.ts'
import {type EmulatedNode, registerNode} from './node-object.ts'
import {ADDRESS} from './pod-object.ts'
import {serveStreams} from './serve-streams.ts'
import {SimulatedAgents} from './simulated-agents.ts'

/** What the emulated kubelet is started with, as JSON. */
export interface KubeletOptions {
  readonly pki: string
  readonly port: number
  readonly nodes: readonly EmulatedNode[]
}

/** A kubelet that starts nothing: it says that pods run, and leads streams to processes or to simulated agents. */
async function main(): Promise<void> {
  const {pki, port, nodes} = JSON.parse(process.argv[2] ?? '') as KubeletOptions
  const [cert, key, ca] = await Promise.all(
    ['kubelet-server.crt', 'kubelet-server.key', 'ca.crt'].map(async (name) => await readFile(join(pki, name))),
  )
  const api = await Api.open(pki)
  const agents = new SimulatedAgents(await makeMesh(new World(), Date.now, newCounters()), api)
  const pods = new Pods(api, async ({metadata}) => {
    if (metadata.annotations?.[ADDRESS] === undefined) await agents.publishRoot(metadata.namespace)
  })
  if (cert === undefined || key === undefined || ca === undefined) throw new Error('there are three files')
  await serveStreams({cert, key, ca}, port, {pods, agents})
  for (const node of nodes) await registerNode(api, node, port)
  await Promise.all(nodes.map(async ({name}) => await pods.keep(name)))
}

await main()
