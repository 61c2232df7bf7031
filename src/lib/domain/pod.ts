/** One pod's name; what rows, messages and cursors carry. */
export interface PodRef {
  /** Nobody said which one: a file that names no pod. */
  readonly isNamespaceAssumed?: true
  /** Kubeconfig context; only where several are asked. */
  readonly context?: string
  readonly namespace: string
  readonly name: string
}

/** Where a container stands in its pod: `sidecar` is an init container that keeps running (`restartPolicy: Always`). */
export type ContainerRole = 'container' | 'sidecar' | 'init'

/** What the kubelet says of a container; `reason` is Kubernetes' own word (`CrashLoopBackOff`, `Completed`). */
export interface ContainerState {
  readonly phase: 'running' | 'waiting' | 'terminated' | 'unknown'
  readonly reason?: string
  readonly message?: string
  readonly exitCode?: number
}

export interface ContainerPort {
  readonly name?: string
  readonly port: number
  readonly protocol: string
}

export interface VolumeMount {
  /** The pod volume's name. */
  readonly name: string
  readonly path: string
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly role: ContainerRole
  readonly command: readonly string[]
  readonly args: readonly string[]
  /** Variables with a literal value; the last of one name wins, as in Kubernetes. */
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly ContainerPort[]
  readonly mounts: readonly VolumeMount[]
  readonly state: ContainerState
  /** How it ended before it was started again; absent where it never was. */
  readonly lastEnd?: ContainerState
  readonly ready: boolean
  readonly restarts: number
}

export interface OwnerRef {
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export interface PodCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
}

/** The part of a Kubernetes Pod that this program uses; everything else is let go as a page is read. */
export interface Pod extends PodRef {
  readonly uid: string
  readonly node?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly owners: readonly OwnerRef[]
  readonly serviceAccount?: string
  /** `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown`, or `''` where the server gave none. */
  readonly phase: string
  /** The pod's own reason (`Evicted`, `NodeLost`, `Terminated`). */
  readonly reason?: string
  readonly message?: string
  readonly ips: readonly string[]
  readonly hostNetwork: boolean
  /** `linux` or `windows`, where the pod says so. */
  readonly os?: string
  /** RFC 3339, as the server sent it. */
  readonly createdAt?: string
  readonly deletedAt?: string
  readonly conditions: readonly PodCondition[]
  /** Names of the gates that keep it from being scheduled; absent where there are none. */
  readonly schedulingGates?: readonly string[]
  /** Init containers first, in the order of the spec. */
  readonly containers: readonly Container[]
  /** Volumes by name: what kind each is (`emptyDir`, `configMap`, `secret`, `projected`, `csi`, …). */
  readonly volumes: Readonly<Record<string, string>>
}

/** `cart-1.shop`: what istiod calls the proxy of a pod. */
export function proxyId({namespace, name}: PodRef): string {
  return `${name}.${namespace}`
}

/** `shop/cart-1`, or `prod/shop/cart-1` with a context. */
export function podKey(pod: PodRef): string {
  const key = `${pod.namespace}/${pod.name}`
  return pod.context === undefined ? key : `${pod.context}/${key}`
}
