import type {Side} from './question.ts'

/** Where a proxy's admin interface is: its port on loopback, a socket file, or switched off. */
export type AdminEndpoint =
  | {readonly type: 'port'; readonly port: number}
  | {readonly type: 'socket'; readonly path: string}
  | {readonly type: 'off'; readonly reason: string}

/** What speaks on the proxy side. */
type Dialect = 'envoy' | 'ztunnel' | 'none'

/** An option of an agent that it cannot take, or takes otherwise than it is meant. */
export interface InvalidOption {
  /** Where it stands: `Variable SECRET_TTL`. */
  readonly where: string
  /** What is wrong with it, with its value: `says a day, which is no duration`. */
  readonly problem: string
  /** The agent starts with it, though not as one would expect. */
  readonly isTaken?: true
}

/** A pod's agent, as its profile recognises it. */
export interface Agent {
  /** The profile's name, e.g. `istio-sidecar`. */
  readonly kind: string
  /** Why it is this kind, in words. */
  readonly because: string
  /** Container of the agent, which is the proxy's too in Istio. */
  readonly container: string
  readonly dialect: Dialect
  readonly admin: AdminEndpoint
  /** Port of the agent's status and metrics (15020 in Istio); absent where it has none. */
  readonly statusPort?: number
  /** Share of a certificate's life that is left when the agent renews it (Istio: `SECRET_GRACE_PERIOD_RATIO`, 0.5). */
  readonly graceRatio: number
  /** Directory of the certificate files that the agent writes or uses (`OUTPUT_CERTS`, mounted certificates). */
  readonly certificateDir?: string
  /** Names of the files in `certificateDir`: chain and roots. Never the key. */
  readonly certificateFiles?: {readonly chain: string; readonly roots: string}
  /** `istiod`, or who else hands out certificates and roots (`mounted files`, `SPIRE`, another CA). */
  readonly trustSource: string
  /**
   * A captured pod: the service account whose certificate its node's ztunnel holds for it. No container of the pod is
   * an agent; `container` is its first.
   */
  readonly capturedAs?: string
  readonly revision?: string
  readonly version?: string
  /** An istiod gives its proxy its configuration; with the address of that istiod where the pod names one. */
  readonly discovery?: {readonly address?: string}
  /** What it does for the pods of its node. */
  readonly nodeService?: 'ztunnel' | 'cni'
  /** Its kind has no secrets that anybody could tell. */
  readonly holdsNoSecrets?: true
  /** Things worth saying: an annotation that is no port, a name that two containers share. */
  readonly warnings: readonly string[]
  /** The sides that have an endpoint which tells whether they are ready; absent where the kind is not known. */
  readonly tellsReady?: readonly Side[]
  /** Its kind has a service account of its own on every node. */
  readonly hasOwnAccount?: true
  /** Options of the pod that the agent cannot take; absent where the pod's spec is not known. */
  readonly invalidOptions?: readonly InvalidOption[]
}

/** Why a pod is not asked; no failure. Codes are stable. */
export interface Skip {
  readonly code:
    | 'finished'
    | 'evicted'
    | 'pending'
    | 'gone'
    | 'no-agent'
    | 'no-secrets'
    | 'terminating'
    | 'unknown-phase'
  readonly message: string
}
