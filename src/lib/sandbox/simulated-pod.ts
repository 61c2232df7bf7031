import type {Duplex} from 'node:stream'
import type {PodPort} from './agents/pod-port.ts'
import type {Fault} from './fault.ts'

/** A program that a simulated image may have. `busybox nc` knows no Unix sockets. */
export type Program = 'pilot-agent' | 'pilot-discovery' | 'curl' | 'cat' | 'nc' | 'busybox nc' | 'socat'

/** A container as exec sees it. */
export interface SimulatedContainer {
  readonly name: string
  readonly isRunning: boolean
  /** Programs on its PATH: a distroless proxy has `pilot-agent` alone. */
  readonly programs: readonly Program[]
  /** Files by absolute path. */
  readonly files: ReadonlyMap<string, () => Promise<string>>
  /** Unix sockets that somebody listens on, by absolute path: what takes a connection. */
  readonly sockets?: ReadonlyMap<string, (connection: Duplex) => Promise<void>>
}

/** A pod with what answers inside it. */
export interface SimulatedPod {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  /** Absent while it is not scheduled. */
  readonly node?: string
  readonly nodeAddress?: string
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly address: string
  readonly serviceAccount: string
  /** The Pod object as JSON text, without kind and apiVersion. */
  readonly manifest: () => string
  readonly containers: () => readonly SimulatedContainer[]
  /** Made at first need: a fleet has thousands. */
  readonly ports: () => ReadonlyMap<number, PodPort>
  /** What is wrong with it now; switched by tests. */
  fault?: Fault
}
