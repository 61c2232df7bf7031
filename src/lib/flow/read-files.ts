import type {Answer} from '../domain/answer.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {Side, Source} from '../domain/question.ts'
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
  const sides = new Set<Side>()
  const sources = new Set<Source>()
  // One after the other: a file may be a dump of 100 MB.
  for (const open of answers) {
    signal.throwIfAborted()
    try {
      const answer = await open()
      sides.add(answer.question.side)
      sources.add(answer.question.source)
      observations.push(...(await decode(answer, context)))
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      const {failure} = error
      failures.push(failure)
      if (failure.side !== undefined) sides.add(failure.side)
      if (failure.source !== undefined) sources.add(failure.source)
    }
  }
  return {observations, failures, asked: {sides: [...sides], sources: [...sources]}}
}
