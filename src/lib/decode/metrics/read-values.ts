import type {Subject} from '../content-error.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {metricLines} from './metric-lines.ts'
import {parseSample} from './parse-sample.ts'

/**
 * Of an exposition the values of these metrics, which have one series each. Throws ProbeError for what is none: a refusal,
 * a page.
 */
export async function readValues(subject: Subject, names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  await refuseBadStatus(subject)
  const found = new Map<string, number>()
  let first: string | undefined
  let series = 0
  for await (const line of metricLines(subject.part.body)) {
    first ??= line
    const sample = parseSample(line)
    if (sample === undefined) continue
    series += 1
    if (names.has(sample.name)) found.set(sample.name, sample.value)
  }
  if (series === 0) throw explainRefusal(subject, first ?? '')
  return found
}
