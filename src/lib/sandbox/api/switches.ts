/** What is out of order with the API server itself; tests switch it while it runs. */
export interface Switches {
  /** How long a list's token lives after its first page, in ms. */
  tokenLifetimeMs: number
  /** So many of the next requests with a token get 410, however young the token is. */
  expireNext: number
  /** Whether a 410 carries a fresh token. */
  freshTokens: boolean
  /** So many of the next API requests get 429. */
  throttleNext: number
  /** `Retry-After` of those, in seconds. */
  retryAfterSeconds: number
  /** Texts sent as `Warning: 299` with every answer. */
  warnings: readonly string[]
  /** Delay of each API answer, in ms. */
  latencyMs: number
  /** So many of the next lists break off in the middle of their body. */
  cutNext: number
  /** So many of the next API requests get 401, as after a login has expired. */
  rejectNext: number
  /** Whether a stream needs `create` beside `get`, as servers since 1.35 want it. */
  needsCreate: boolean
  /** What each request for a resource (`certificates`) gets in place of its answer, or before it. */
  resourceFaults: ReadonlyMap<string, {readonly status: number} | {readonly delayMs: number}>
}

export function newSwitches(tokenLifetimeMs: number, latencyMs: number): Switches {
  return {
    tokenLifetimeMs,
    expireNext: 0,
    freshTokens: true,
    throttleNext: 0,
    retryAfterSeconds: 1,
    warnings: [],
    latencyMs,
    cutNext: 0,
    rejectNext: 0,
    needsCreate: true,
    resourceFaults: new Map(),
  }
}
