import type {Readable} from 'node:stream'
import type {WebSocket} from 'ws'

/** An API server's answer, head first; the body is to be read or destroyed. */
export interface ApiResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Already decompressed. */
  readonly body: Readable
  /** Our clock when the head arrived, ms since 1970. */
  readonly receivedMs: number
}

export interface ApiRequest {
  readonly signal: AbortSignal
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One logged-in user at one API server: the only thing in this program that knows addresses and credentials.
 * It logs in once however many ask at the same time, again before a token expires and once after a 401, keeps
 * connections alive, and goes through the proxy that client-go would choose, for requests and streams alike.
 */
export interface KubeSession extends AsyncDisposable {
  readonly context: string
  /** The context's own namespace, `default` where it has none. */
  readonly namespace: string
  /** The server, for messages; no credentials in it. */
  readonly server: string
  /** GET, and nothing else. Throws ProbeError (stage `dial`) where no answer came; a status is no error here. */
  get(path: string, request: ApiRequest): Promise<ApiResponse>
  /**
   * Opens a WebSocket; resolves once it is open, with its reading paused. Throws ProbeError for a refusal, with
   * the server's own text and status worked out by `explainRefusal`.
   */
  upgrade(path: string, protocols: readonly string[], signal: AbortSignal): Promise<WebSocket>
}
