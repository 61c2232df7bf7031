import type {PodItem} from '../domain/report.ts'
import {asGone, type Selected} from './select-pods.ts'

/** How long pods that are not well are asked again. */
export interface Waiting<Item extends PodItem> {
  /** Ms since 1970: no look begins later, but for the first at a pod. */
  readonly untilMs: number
  /** Between the end of one look and the beginning of the next, ms. */
  readonly intervalMs: number
  readonly nowMs: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Whether waiting could change anything of what was found; once it cannot for one pod, nobody is waited for. */
  readonly judge: (item: Item) => 'well' | 'may-pass' | 'lasts'
  /** The pod as it is now; undefined where it has gone. */
  readonly refresh: (selected: Selected, signal: AbortSignal) => Promise<Selected | undefined>
  /** Lets a bounded number of pods be asked at once; who waits takes no place. */
  readonly inTurn: <T>(look: () => Promise<T>) => Promise<T>
}

/** Another look at the same pod is `isAgain`. */
type Look<Item> = (selected: Selected, signal: AbortSignal, isAgain: boolean) => Promise<Item>

/**
 * Looks at each pod until it is well or the time is over, and gives its last item. A pod that has gone meanwhile is told
 * as skipped. Of a fleet in which one pod cannot become well, no other is waited for: the verdict stands.
 */
export function lookUntilWell<Item extends PodItem>(
  look: Look<Item>,
  waiting: Waiting<Item>,
): (selected: Selected, signal: AbortSignal) => Promise<Item> {
  const {untilMs, intervalMs, nowMs, judge, refresh, inTurn} = waiting
  const hopeless = new AbortController()

  return async (selected, signal) => {
    let current = selected
    for (let isAgain = false; ; isAgain = true) {
      const item = await inTurn(async () => await look(current, signal, isAgain))
      const state = judge(item)
      if (state === 'lasts') hopeless.abort()
      if (state !== 'may-pass' || !(await hasPaused(signal))) return item
      const now = await refresh(current, signal)
      current = now ?? asGone(current)
    }
  }

  /** False where there is no time left for another look, or no use in one. */
  async function hasPaused(signal: AbortSignal): Promise<boolean> {
    if (hopeless.signal.aborted || nowMs() + intervalMs > untilMs) return false
    const either = AbortSignal.any([signal, hopeless.signal])
    try {
      await waiting.pause(intervalMs, either)
    } catch (error) {
      if (!hopeless.signal.aborted || signal.aborted) throw error
    }
    return !hopeless.signal.aborted
  }
}
