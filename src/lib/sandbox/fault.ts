/**
 * What may go wrong with one pod. The first four are said by the node or the API server, the rest come from what
 * answers behind a port (over a forward, the pod proxy and exec alike).
 */
export type Fault =
  /** Nothing listens: the error channel says `connection refused`. */
  | {readonly type: 'refuse'; readonly port?: number}
  /** The node cannot forward at all: no socat there. */
  | {readonly type: 'no-socat'; readonly port?: number}
  /** The API server cannot reach the kubelet; it says so at once. */
  | {readonly type: 'node-unreachable'; readonly port?: number}
  /** The API server never answers the upgrade. */
  | {readonly type: 'hang-dial'; readonly port?: number}
  /** Deleted since it was listed: streams and the proxy get 404, the list still has it. */
  | {readonly type: 'pod-gone'; readonly port?: number}
  /** The port takes the request and never answers. */
  | {readonly type: 'hang'; readonly port?: number}
  /** The connection closes after so many bytes of the body. */
  | {readonly type: 'cut-off'; readonly afterBytes: number; readonly port?: number}
  /** The whole stream is gone, without a closing frame, after so many bytes of the body. */
  | {readonly type: 'crash'; readonly afterBytes: number; readonly port?: number}
  /** The answer waits before it begins. */
  | {readonly type: 'slow'; readonly delayMs: number; readonly port?: number}
  /** 200 with bytes that are nothing. */
  | {readonly type: 'garbage'; readonly port?: number}
  /** 200 with an empty body. */
  | {readonly type: 'empty'; readonly port?: number}
  /** A corporate proxy's page, with status 502. */
  | {readonly type: 'html'; readonly port?: number}
  /** A status with a short text. */
  | {readonly type: 'status'; readonly status: number; readonly port?: number}
  /** The answerer's clock is off by so much: its `Date` header, and what it counts from it. */
  | {readonly type: 'clock-skew'; readonly skewMs: number; readonly port?: number}
  /** So many bytes of white space stand inside the body's JSON, in lines: a dump of megabytes. */
  | {readonly type: 'big-dump'; readonly bytes: number; readonly port?: number}
  /** Lines of a runtime's chatter before the answer. */
  | {readonly type: 'noise'; readonly port?: number}

/** The fault, where it concerns this port. */
export function faultAt(fault: Fault | undefined, port: number): Fault | undefined {
  return fault !== undefined && (fault.port === undefined || fault.port === port) ? fault : undefined
}
