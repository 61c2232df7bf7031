/** What the emulated kubelet reads of a Pod. */
export interface PodObject {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly serviceAccountName: string
    readonly nodeName?: string
    readonly containers: readonly ContainerSpec[]
    readonly initContainers?: readonly ContainerSpec[]
  }
  readonly status: {readonly phase: string; readonly podIP?: string}
}

/** A container of a Pod's spec. */
export interface ContainerSpec {
  readonly name: string
  readonly image: string
  /** `Always` for a native sidecar. */
  readonly restartPolicy?: string
  readonly args?: readonly string[]
  readonly env?: readonly EnvVariable[]
}

interface EnvVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly fieldRef?: {readonly fieldPath: string}
    readonly resourceFieldRef?: {readonly resource: string}
  }
}

/** Annotation with the address at which real processes of a pod answer. */
export const ADDRESS = 'emulated-kubelet/address'

/** Label of a namespace whose pods have simulated agents. */
export const SIMULATED = 'emulated-kubelet/simulated'
