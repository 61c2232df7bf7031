import type {Answer, AnswerPart} from '../domain/answer.ts'
import type {Spoken} from '../domain/spoken.ts'

/** A saved answer this near to the moment that is judged as of was saved at that moment, by a clock of its own. */
const SAME_MOMENT_MS = 300_000

/**
 * Who said it, and how far the answerer's clock is from ours. The date of a file tells nothing of that, unless it is
 * judged as of (`nowMs`, `--now`) the moment at which it was saved.
 */
export function spokenBy(answer: Answer, dated: AnswerPart | undefined, nowMs?: number): Spoken {
  const spoken = {source: answer.question.source, route: answer.route}
  if (dated?.dateMs === undefined) return spoken
  if (answer.route !== 'file') return {...spoken, skewMs: dated.dateMs - dated.receivedMs}
  const skewMs = nowMs === undefined ? Number.POSITIVE_INFINITY : dated.dateMs - nowMs
  return Math.abs(skewMs) > SAME_MOMENT_MS ? spoken : {...spoken, skewMs}
}
