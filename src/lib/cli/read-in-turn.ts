import pLimit from 'p-limit'
import type {CheckLooking} from '../flow/look-at-check.ts'
import type {ReadPod} from '../flow/reading.ts'
import type {OpenPods} from './opened-pods.ts'

/**
 * Readings of which a bounded number goes on at once, with the second one of counters: who waits for it takes no turn, so
 * that the pods of a page wait side by side.
 */
export function readInTurn(
  {read, readMetrics}: Pick<OpenPods, 'read' | 'readMetrics'>,
  ms: number,
  concurrency: number,
): Pick<CheckLooking, 'read' | 'sample'> {
  const inTurn = pLimit(concurrency)
  const limited =
    (reader: ReadPod): ReadPod =>
    async (...asked) =>
      await inTurn(async () => await reader(...asked))
  return {read: limited(read), sample: {ms, read: limited(readMetrics)}}
}
