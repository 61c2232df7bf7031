import {ProbeError} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'

/** Observations that many pods share (a namespace's published root, a node's agent): asked and decoded once. */
export interface SharedAnswers {
  /**
   * Runs `ask` for the first who needs `key`; all others get the same result, but none that was asked for before
   * `sinceMs`. A failure that may pass is not kept: the next one who needs it asks again.
   */
  once(key: string, sinceMs: number, ask: () => Promise<readonly Observation[]>): Promise<readonly Observation[]>
}

interface Result {
  readonly askedAtMs: number
  readonly observations: Promise<readonly Observation[]>
}

/** Keeps the last `maxEntries` results; pods come in list order, so an old namespace does not come back. */
export function createSharedAnswers(maxEntries: number, nowMs: () => number): SharedAnswers {
  const results = new Map<string, Result>()
  return {
    async once(key, sinceMs, ask) {
      const known = results.get(key)
      if (known !== undefined && known.askedAtMs >= sinceMs) return await known.observations
      const result = {askedAtMs: nowMs(), observations: ask()}
      results.delete(key)
      results.set(key, result)
      const oldest = results.keys().next().value
      if (results.size > maxEntries && oldest !== undefined) results.delete(oldest)
      try {
        return await result.observations
      } catch (error) {
        if (mayPass(error) && results.get(key) === result) results.delete(key)
        throw error
      }
    },
  }
}

/** A refusal stays one for the whole run; a connection that broke, or a server that was busy, may be well again. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ProbeError && ['forbidden', 'unauthorized', 'not-found'].includes(error.failure.code))
}
