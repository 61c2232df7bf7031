import type {Observation} from '../domain/observation.ts'

/** Observations that many pods share (a namespace's published root, a node's agent): asked and decoded once. */
export interface SharedAnswers {
  /** Runs `ask` for the first who needs `key`; all others get the same result, a failure included. */
  once(key: string, ask: () => Promise<readonly Observation[]>): Promise<readonly Observation[]>
}

/** Keeps the last `maxEntries` results; pods come in list order, so an old namespace does not come back. */
export function createSharedAnswers(maxEntries: number): SharedAnswers {
  const results = new Map<string, Promise<readonly Observation[]>>()
  return {
    async once(key, ask) {
      const known = results.get(key)
      if (known !== undefined) return await known
      const asked = ask()
      results.set(key, asked)
      const oldest = results.keys().next().value
      if (results.size > maxEntries && oldest !== undefined) results.delete(oldest)
      return await asked
    },
  }
}
