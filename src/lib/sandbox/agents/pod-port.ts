/** A request as it reaches a process in a pod. */
export interface PodRequest {
  readonly method: string
  /** Path and query, from `/`. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** A forwarded port and a command in the pod come from loopback, the API server's proxy does not. */
  readonly fromLoopback: boolean
  /** What the pod's clock shows, in ms since 1970: ages and times left are counted from it. */
  readonly clockMs: number
}

/** What a process in a pod answers. */
export interface PodAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

/** One open port of a pod. */
export interface PodPort {
  /** Listens on all interfaces, so that the API server's proxy reaches it. */
  readonly bindsToPod: boolean
  answer(request: PodRequest): Promise<PodAnswer> | PodAnswer
}

/** A text answer. */
export function textAnswer(
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
  headers: Readonly<Record<string, string>> = {},
): PodAnswer {
  return {
    status,
    headers: text === '' ? {...headers, 'content-length': '0'} : {'content-type': contentType, ...headers},
    body: Buffer.from(text),
  }
}

/** The path without its query, and the query. */
export function splitPath(path: string): {readonly pathname: string; readonly query: URLSearchParams} {
  const at = path.indexOf('?')
  return at < 0
    ? {pathname: path, query: new URLSearchParams()}
    : {pathname: path.slice(0, at), query: new URLSearchParams(path.slice(at + 1))}
}
