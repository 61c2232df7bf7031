import type {Answer, AnswerPart} from '../domain/answer.ts'
import type {Question} from '../domain/question.ts'
import {fileName} from './file-argument.ts'
import type {SettledFile} from './settle-sources.ts'

/** Larger than any dump; bodies are read as streams. */
const MAX_BYTES = 2 ** 40

/** The question that files of one source and side answer. */
function questionOf([first, ...others]: readonly [SettledFile, ...SettledFile[]]): Question {
  const paths = [first, ...others].map(({argument}) => fileName(argument))
  return {
    source: first.source,
    side: first.side,
    container: 'istio-proxy',
    forms: [{type: 'read-file', paths}],
    routes: ['file'],
    maxBytes: MAX_BYTES,
  }
}

/** What files of one source and side say of a pod: one answer, a part for each file. May be read once. */
export function answerOf(files: readonly [SettledFile, ...SettledFile[]]): Answer {
  return {question: questionOf(files), form: 0, route: 'file', parts: partsOf(files)}
}

async function* partsOf(files: readonly SettledFile[]): AsyncGenerator<AnswerPart> {
  for (const {argument, file} of files) {
    const {status = 200, contentType, dateMs} = file.head ?? {}
    yield {
      path: fileName(argument),
      status,
      ...(contentType !== undefined && {contentType}),
      ...(dateMs !== undefined && {dateMs}),
      receivedMs: file.modifiedMs,
      body: file.body(),
      receivedBytes: () => file.readBytes(),
    }
  }
}
