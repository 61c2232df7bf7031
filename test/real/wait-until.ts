/** Asks again and again until there is an answer. Throws with the last refusal after `withinMs`. */
export async function waitUntil<T>(what: string, withinMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const endMs = performance.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      last = error
    }
    if (performance.now() > endMs) throw new Error(`Waited ${String(withinMs / 1000)} s for ${what}`, {cause: last})
    await sleep(100)
  }
}

/** Waits. */
export async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
