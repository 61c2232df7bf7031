import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {Parts} from '../parts/build-parts.ts'
import {awaitReady, startControlPlane, writeKubeconfig} from './api-server.ts'
import {Kubectl} from './kubectl.ts'
import {startNode} from './node.ts'
import {makePki} from './pki.ts'
import {Processes} from './processes.ts'

/** A running cluster of one node. */
export interface Cluster {
  readonly kubeconfig: string
  /** The folder with its keys. */
  readonly pki: string
  readonly kubectl: Kubectl
  readonly processes: Processes
}

/** Starts etcd, an API server and a node. State goes into `folder`, logs into `logs`. */
export async function startCluster(parts: Parts, folder: string, logs: string): Promise<Cluster> {
  const pki = join(folder, 'pki')
  const kubeconfig = join(folder, 'kubeconfig')
  const processes = new Processes(logs, endRun)
  await makePki(pki)
  await writeKubeconfig(kubeconfig, pki)
  const kubectl = new Kubectl(parts.kubectl, kubeconfig)
  await startControlPlane({...parts, pki, data: join(folder, 'etcd'), processes})
  await awaitReady(kubectl)
  await mkdir(join(folder, 'node'))
  await startNode({...parts, pki, folder: join(folder, 'node'), logs, processes, kubectl})
  return {kubeconfig, kubectl, pki, processes}
}

/** Without one of its processes a cluster gives wrong answers, or none: the run is over, and all others go with it. */
function endRun(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
