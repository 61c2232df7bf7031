import type {Certificate} from '../domain/certificate.ts'
import {isYoungerThanTaken, takenUpMs} from '../domain/doubt.ts'
import {formatTime} from '../domain/format-time.ts'
import {firstOf, type Held} from './held.ts'

/**
 * A secret of which the proxy shows what it has refused, as what its TLS contexts go on with: `others`, which are of
 * the same names and in no secret, in place of the one that is shown. Undefined where it was not refused: contexts have
 * loaded something that came later than what the proxy says it took up.
 */
export function asLoaded(held: Held, others: readonly Certificate[]): Held | undefined {
  const {item, by} = held
  const shown = firstOf(held)
  const takenMs = takenUpMs(item, by)
  if (item.state !== 'ACTIVE' || item.rejected !== undefined || takenMs === undefined) return undefined
  if (!isYoungerThanTaken(item, by) || shown?.readable !== true) return undefined
  if (others.some(({notBeforeMs}) => notBeforeMs === undefined || notBeforeMs > takenMs)) return undefined
  const [current, ...older] = others.toSorted((a, b) => (b.notBeforeMs ?? 0) - (a.notBeforeMs ?? 0))
  if (current === undefined) return undefined
  const details = `what begins at ${formatTime(shown.notBeforeMs ?? takenMs)} is shown as active, and no TLS context has loaded it`
  return {
    ...held,
    item: {...item, certificates: [current], rejected: {details}},
    contexts: new Map([[current, {loaded: true, others: older}]]),
  }
}
