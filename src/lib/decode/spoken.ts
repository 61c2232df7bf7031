import type {Answer, AnswerPart} from '../domain/answer.ts'
import type {Spoken} from '../domain/observation.ts'

/** Who said it, and how far the answerer's clock is from ours; the date of a file tells nothing of that. */
export function spokenBy(answer: Answer, dated: AnswerPart | undefined): Spoken {
  const spoken = {source: answer.question.source, route: answer.route}
  if (answer.route === 'file' || dated?.dateMs === undefined) return spoken
  return {...spoken, skewMs: dated.dateMs - dated.receivedMs}
}
