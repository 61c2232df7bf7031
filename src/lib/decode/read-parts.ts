import type {Answer, AnswerPart} from '../domain/answer.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {Unusable} from '../domain/observation.ts'

export interface PartsRead {
  /** Parts that could not be used, each with its reason. */
  readonly unusable: readonly Unusable[]
  /** The first part that came with a date. */
  readonly dated: AnswerPart | undefined
  /** Parts that could be used. */
  readonly used: number
}

/** A part's place in its answer. */
export interface PartPlace {
  readonly index: number
  /** Tells of a piece of the part that could not be used, while the rest of it can. */
  readonly report: (error: ProbeError) => void
}

/**
 * Reads the parts of an answer one after another. A ProbeError, thrown by `read` or by a stream, costs its part and
 * no other; it is told with side, source and route. Everything else propagates.
 */
export async function readParts(
  answer: Answer,
  read: (part: AnswerPart, place: PartPlace) => Promise<void>,
): Promise<PartsRead> {
  const unusable: Unusable[] = []
  let dated: AnswerPart | undefined
  let count = 0
  let used = 0
  const note = (error: unknown): void => {
    if (!(error instanceof ProbeError)) throw error
    const {side, source} = answer.question
    unusable.push({type: 'unusable', failure: {...error.failure, side, source, route: answer.route}})
  }
  try {
    for await (const part of answer.parts) {
      if (part.dateMs !== undefined) dated ??= part
      try {
        await read(part, {index: count, report: note})
        used += 1
      } catch (error) {
        note(error)
      }
      count += 1
    }
  } catch (error) {
    note(error)
  }
  if (count === 0 && unusable.length === 0) note(new ProbeError(nothingCame(answer)))
  return {unusable, dated, used}
}

function nothingCame({question}: Answer): Failure {
  return {stage: 'fetch', code: 'empty-answer', message: `Cannot read ${question.source}: the answer has no parts`}
}
