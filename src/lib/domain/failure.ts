import type {Route, Source} from './question.ts'

/** Where on the way it failed. */
export type Stage = 'select' | 'dial' | 'fetch' | 'decode'

/** Stable words for what went wrong; messages may change, codes do not. */
export type FailureCode =
  | 'forbidden' // the user's RBAC refuses
  | 'unauthorized' // login expired or refused
  | 'not-found' // API object absent
  | 'pod-gone'
  | 'pod-not-running'
  | 'container-not-running'
  | 'container-not-found'
  | 'port-closed'
  | 'connection-lost'
  | 'node-cannot-forward'
  | 'node-unreachable'
  | 'kubelet-forbidden' // the API server may not use the kubelet
  | 'upgrade-failed' // WebSocket upgrade refused, other than 401/403/404
  | 'api-unavailable'
  | 'throttled'
  | 'tls'
  | 'timeout'
  | 'command-missing'
  | 'command-failed'
  | 'http-status'
  | 'grpc-status' // a gRPC call ended other than well, for a reason that no other code tells
  | 'path-unknown'
  | 'bad-request'
  | 'not-an-admin-port'
  | 'proxy-in-between'
  | 'empty-answer'
  | 'cut-off'
  | 'bad-payload'
  | 'too-large'
  | 'wrong-pod'
  | 'admin-disabled'
  | 'admin-socket'
  | 'no-source'
  | 'file-unreadable'

/** Why a part of the answer is missing. Plain data, the same on every output. */
export interface Failure {
  readonly side?: 'agent' | 'proxy'
  readonly source?: Source
  readonly route?: Route
  readonly stage: Stage
  readonly code: FailureCode
  /** What was tried on what, and what came back. No newline, no full stop. Foreign text in it is not escaped here. */
  readonly message: string
  /** One thing to do next. */
  readonly hint?: string
}

/** A part of the answer could not be had. Thrown below `flow`, which turns it into data. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

/** How a run ends that has no answer to give; the numbers are the exit codes. */
export type RunErrorExit = 2 | 4 | 130

/** There will be no answer at all: a usage error, no cluster, no permission. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly exit: RunErrorExit
  /** A stable word, as for failures. */
  readonly code: string
  readonly hints: readonly string[]

  constructor(
    exit: RunErrorExit,
    code: string,
    message: string,
    hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.exit = exit
    this.code = code
    this.hints = hints
  }
}
