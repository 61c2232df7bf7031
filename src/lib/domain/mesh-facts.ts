import type {PodRef} from './pod.ts'
import type {NotEvaluatedCause} from './rule.ts'

/** What of a node's service does not work; the code is stable, the text is for people. */
export interface NodeTrouble {
  readonly code: 'not-running' | 'not-ready' | 'not-connected' | 'not-installed' | 'no-ztunnel'
  readonly text: string
}

/** How the agent of a node fares that serves the pods there. */
export interface NodeService {
  readonly role: 'ztunnel' | 'cni'
  readonly troubles: readonly NodeTrouble[]
  /** Why nothing more is known of it. */
  readonly missing?: {readonly cause: NotEvaluatedCause; readonly reason: string}
  /** Pods that it serves, as it says itself. */
  readonly serves?: number
}

/** On how many of its nodes the DaemonSet that owns a pod is ready. */
interface DaemonSetFacts {
  readonly namespace: string
  readonly name: string
  readonly desired: number
  readonly ready: number
  readonly isRollingOut: boolean
}

/** What one pod says of its node and its mesh, for the rules on nodes and on the fleet. */
export interface MeshFacts {
  readonly service?: NodeService
  readonly daemonSet?: DaemonSetFacts
  /** Why nobody told of its DaemonSet, where it has one. */
  readonly noDaemonSet?: NodeService['missing']
  /** What a proxy runs, and the istiod that it is connected to, where that is known. */
  readonly version?: {readonly agent: string; readonly controlPlane?: string}
  /** Versions of the istiods that were asked. */
  readonly controlPlanes: readonly string[]
}

/** Pods that run one version under one control plane. */
export interface VersionGroup {
  readonly agent: string
  readonly controlPlane?: string
  readonly pods: number
  /** The first of them. */
  readonly examples: readonly PodRef[]
}

/** One node, as its pods show it. */
export interface NodeSeen {
  readonly context?: string
  readonly name: string
  /** Pods that its ztunnel carries. */
  readonly captured: number
  /** Pods with an agent, those that are its own services left out. */
  readonly pods: number
  readonly services: readonly (NodeService & {readonly pod: PodRef})[]
}

/** One DaemonSet of agents, and where it is. */
export interface AgentDaemonSet extends DaemonSetFacts {
  readonly context?: string
  readonly kind: string
  /** Nodes with other pods, and none of its own. */
  readonly without: readonly string[]
}

/** What all pods together say of nodes and versions; its size is that of the nodes, not of the fleet. */
export interface MeshSeen {
  readonly versions: readonly VersionGroup[]
  readonly controlPlanes: readonly string[]
  readonly nodes: readonly NodeSeen[]
  readonly daemonSets: readonly AgentDaemonSet[]
  /** Why nobody told of the DaemonSets of some agents. */
  readonly noDaemonSets: readonly NonNullable<NodeService['missing']>[]
}
