import type {AnswerPart} from '../../domain/answer.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'

/** What an answer's parts are made of. */
export interface PartsSource {
  /** Of the first path. */
  readonly first: RawAnswer
  readonly paths: readonly string[]
  fetch(path: string): Promise<RawAnswer>
  /** The body as it goes out of this room. */
  clean(body: AsyncIterable<Uint8Array>, path: string): AsyncIterable<Uint8Array>
  /** What is thrown in an error's place. */
  told(error: unknown): unknown
}

/** The parts one after the other: what is left of one is let go before the next is asked for. */
export async function* answerParts(source: PartsSource): AsyncGenerator<AnswerPart> {
  for (const [place, path] of source.paths.entries()) {
    const raw = place === 0 ? source.first : await next(source, path)
    const {status, contentType, dateMs, receivedMs} = raw
    const counted = {bytes: 0}
    try {
      yield {
        path,
        status,
        receivedMs,
        ...(contentType !== undefined && {contentType}),
        ...(dateMs !== undefined && {dateMs}),
        body: readBody(source, raw, path, counted),
        receivedBytes: () => counted.bytes,
      }
    } finally {
      raw.discard()
    }
  }
}

async function next(source: PartsSource, path: string): Promise<RawAnswer> {
  try {
    return await source.fetch(path)
  } catch (error) {
    throw source.told(error)
  }
}

async function* readBody(
  source: PartsSource,
  raw: RawAnswer,
  path: string,
  counted: {bytes: number},
): AsyncGenerator<Uint8Array> {
  try {
    yield* source.clean(countBytes(raw.body, counted), path)
  } catch (error) {
    throw source.told(error)
  } finally {
    raw.discard()
  }
}

async function* countBytes(body: AsyncIterable<Uint8Array>, counted: {bytes: number}): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    counted.bytes += chunk.length
    yield chunk
  }
}
