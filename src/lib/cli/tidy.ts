import type {PodLister} from '../domain/access.ts'
import type {ReadPod} from '../flow/reading.ts'
import {collectGarbage} from './runtime.ts'

/** Pods after which what they left is cleared away: a few megabytes, in a few milliseconds. */
const PODS = 25

/** Clears away what each page of a listing left, before the next is read; one pod's is not worth the time. */
export function tidyPages(lister: PodLister): PodLister {
  return {
    async *pages(from, signal) {
      for await (const page of lister.pages(from, signal)) {
        yield page
        if (page.next !== undefined || page.pods.length >= PODS) collectGarbage()
      }
    },
  }
}

/** Clears away what pods left that were read. */
export function tidyReads(read: ReadPod): ReadPod {
  let reads = 0
  return async (...asked) => {
    reads += 1
    if (reads % PODS === 0) collectGarbage()
    return await read(...asked)
  }
}
