import type {PodRef} from './pod.ts'

/** The sources that can be asked for by name. */
export const SOURCE_NAMES = [
  'envoy-config-dump',
  'envoy-certs',
  'agent-metrics',
  'agent-files',
  'agent-sds',
  'node-agent-debug',
  'istiod-config-dump',
  'ztunnel-config-dump',
  'published-root',
  'istiod-metrics',
  'cert-manager',
  'kubernetes-secret',
  'istiod-syncz',
  'cni-metrics',
  'daemon-set',
  'agent-ready',
  'proxy-ready',
  'cluster-rbac',
] as const

/** Who answers. */
export type Source = (typeof SOURCE_NAMES)[number] | 'debug'

/** How it was reached. */
export type Route = 'port-forward' | 'exec' | 'pod-proxy' | 'api' | 'file'

export type Side = 'agent' | 'proxy'

/** GET requests that make one answer together; all but the whole dump are one request. */
export interface HttpForm {
  readonly type: 'http'
  readonly port: number
  /** Path and query, from `/`. Asked in order, each with GET. */
  readonly paths: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Listens on all interfaces, so that the API server's pod proxy can reach it. */
  readonly bindsToPod: boolean
  /** A Unix socket instead of a port: only exec reaches it. */
  readonly socket?: string
  /** HTTP statuses of the first path that lead on to the question's next form. */
  readonly refusals: readonly number[]
}

/** A file to print by exec. */
interface FileForm {
  readonly type: 'read-file'
  readonly paths: readonly string[]
}

/** A GET on the API server itself. Of a Secret no more than its certificates becomes an answer. */
export interface ApiForm {
  readonly type: 'api'
  readonly path: string
  /** HTTP statuses that lead on to the question's next form. */
  readonly refusals?: readonly number[]
}

/**
 * Secrets of an SDS server on a Unix socket: one `StreamSecrets` request for each, and no more. Only exec reaches it.
 * The server sends private keys, too; no route lets one into an answer.
 */
export interface SdsForm {
  readonly type: 'sds'
  /** Where the socket may be; the first that is there is asked. */
  readonly socketPaths: readonly string[]
  readonly resourceNames: readonly string[]
}

export type Form = HttpForm | FileForm | ApiForm | SdsForm

/** What a form asks for, in words: its paths, or the names of its secrets. */
export function wordsOf(form: Form): readonly string[] {
  if (form.type === 'sds') return form.resourceNames
  return form.type === 'api' ? [form.path] : form.paths
}

/**
 * What is asked of one pod. It can only read: there is no form that writes, and routes build every request
 * and command from these fields alone.
 */
export interface Question {
  /** Another pod that is asked instead: a node agent, a ztunnel or an istiod that speaks for this one. */
  readonly at?: PodRef
  /** With `at`: the answer is of this pod alone. Otherwise all who need it share it. */
  readonly isOwn?: boolean
  readonly source: Source
  readonly side: Side
  /** Container that exec enters, and whose ports are meant. */
  readonly container: string
  /** Tried in order; the first that is not refused makes the answer. */
  readonly forms: readonly [Form, ...Form[]]
  /** Routes that may be tried, in this order. */
  readonly routes: readonly [Route, ...Route[]]
  /** Bytes of one body after which reading stops with `too-large`. */
  readonly maxBytes: number
}
