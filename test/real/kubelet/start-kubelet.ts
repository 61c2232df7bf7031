import {join} from 'node:path'
import type {Cluster} from '../cluster/start-cluster.ts'
import type {KubeletOptions} from './run.ts'

const PORT = 10_350

/** Starts the emulated kubelet with its nodes. */
export function startKubelet({pki, processes}: Cluster, nodes: KubeletOptions['nodes']): void {
  const options: KubeletOptions = {pki, port: PORT, nodes}
  const program = join(import.meta.dirname, 'run.ts')
  processes.start('emulated-kubelet', [process.execPath, program, JSON.stringify(options)])
}
