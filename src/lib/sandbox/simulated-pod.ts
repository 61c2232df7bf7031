import type {PodPort} from './agents/pod-port.ts'
import type {Fault} from './fault.ts'

/** A program that a simulated image may have. */
export type Program = 'pilot-agent' | 'pilot-discovery' | 'curl' | 'cat'

/** A container as exec sees it. */
export interface SimulatedContainer {
  readonly name: string
  readonly isRunning: boolean
  /** Programs on its PATH: a distroless proxy has `pilot-agent` alone. */
  readonly programs: readonly Program[]
  /** Files by absolute path. */
  readonly files: ReadonlyMap<string, () => Promise<string>>
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
