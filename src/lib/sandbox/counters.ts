/** What the sandbox has been asked so far; tests hold a program to it. */
export interface Counters {
  /** API requests by `VERB resource`, e.g. `list pods`, `get pods/portforward`. */
  readonly requests: Map<string, number>
  /** Requests that reached a process in a pod, by `port path`. */
  readonly podRequests: Map<string, number>
  /** Bytes of API bodies as sent, after compression. */
  apiBytes: number
  /** Bytes of pods' bodies. */
  podBytes: number
  /** TLS connections that were accepted. */
  connections: number
  /** Streams that were opened, and the most that were open at once. */
  streams: number
  openStreams: number
  mostOpenStreams: number
  /** Attempts to change something in a pod (`/quitquitquit` and its like). A reading program leaves it at 0. */
  readonly mutations: string[]
}

export function newCounters(): Counters {
  return {
    requests: new Map(),
    podRequests: new Map(),
    apiBytes: 0,
    podBytes: 0,
    connections: 0,
    streams: 0,
    openStreams: 0,
    mostOpenStreams: 0,
    mutations: [],
  }
}

/** Adds one to a key. */
export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
