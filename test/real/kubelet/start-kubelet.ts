import {join} from 'node:path'
import type {Cluster} from '../cluster/start-cluster.ts'
import type {KubeletOptions} from './run.ts'

const PORT = 10_350

/** Starts the emulated kubelet with its nodes. */
export function startKubelet({pki, processes}: Cluster, nodes: KubeletOptions['nodes']): void {
  processes.start('emulated-kubelet', kubeletCommand({pki, port: PORT, nodes}))
}

/** How an emulated kubelet is started. */
export function kubeletCommand(options: KubeletOptions): readonly [string, ...string[]] {
  return [process.execPath, join(import.meta.dirname, 'run.ts'), JSON.stringify(options)]
}
