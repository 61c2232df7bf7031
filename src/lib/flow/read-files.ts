import type {Answer} from '../domain/answer.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {Asked} from '../compare/evidence.ts'
import type {DecodeContext} from '../decode/decode-context.ts'
import {decode} from '../decode/decode.ts'
import type {Reading} from './reading.ts'

/** Reads what files say of one pod: what a file speaks for was asked, and nothing else. */
export async function readFiles(
  answers: readonly (() => Promise<Answer>)[],
  context: DecodeContext,
  signal: AbortSignal,
): Promise<Reading> {
  const observations: Observation[] = []
  const failures: Failure[] = []
  const sources: Asked['sources'][number][] = []
  // One after the other: a file may be a dump of 100 MB.
  for (const open of answers) {
    signal.throwIfAborted()
    try {
      const answer = await open()
      const {source, side} = answer.question
      sources.push({source, side})
      observations.push(...(await decode(answer, context)))
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      const {failure} = error
      failures.push(failure)
      const {source, side} = failure
      if (source !== undefined && side !== undefined) sources.push({source, side})
    }
  }
  return {observations, failures, asked: {sources}}
}
