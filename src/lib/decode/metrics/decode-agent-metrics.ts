import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {ExpirySeen, Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {metricLines} from './metric-lines.ts'
import {parseSample, type Sample} from './parse-sample.ts'

/** Seconds until the agent's certificate ends (Istio 1.14 and later); there is none for certificates from files. */
const EXPIRY = 'istio_agent_cert_expiry_seconds'
const AGENT_PREFIX = 'istio_agent_'

/**
 * When the agent's certificates end, from its metrics. The answer goes on with the rest of the agent's, Envoy's and the
 * application's, which can be slow and large: reading stops behind the series that tell it, or behind the agent's own.
 */
export async function decodeAgentMetrics(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const seen: Omit<ExpirySeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'metrics of the agent', part}
    const samples = await readExpiries(subject)
    const base = countingBase(answer, part, context)
    for (const {labels, value} of samples) {
      const name = labels['resource_name'] ?? 'default'
      // A certificate ends on a whole second, to which the agent counts down in fractions; a date has lost its own.
      const endSeconds = base.ms / 1000 + value
      const notAfterMs = (base.isWholeSecond ? Math.ceil(endSeconds) : Math.round(endSeconds)) * 1000
      // Beyond what a Date can hold is as little a time as NaN.
      if (Math.abs(notAfterMs) <= 8.64e15) seen.push({type: 'expiry', name, notAfterMs, countedFrom: base.countedFrom})
      else throw contentError(subject, 'bad-payload', `the expiry of ${name} is ${value} seconds`)
    }
  })
  const by = spokenBy(answer, dated, context.nowMs)
  return [...seen.map((expiry) => ({...expiry, by})), ...unusable]
}

interface CountingBase {
  readonly ms: number
  /** The moment lay somewhere in the second that begins here. */
  readonly isWholeSecond: boolean
  readonly countedFrom: string
}

/** The agent counted by its own clock, so the answer's date is what to count from, where it has one. */
function countingBase(answer: Answer, part: AnswerPart, context: DecodeContext): CountingBase {
  if (part.dateMs !== undefined) return {ms: part.dateMs, isWholeSecond: true, countedFrom: 'answer date'}
  if (answer.route !== 'file') return {ms: part.receivedMs, isWholeSecond: false, countedFrom: 'our clock'}
  if (context.nowMs !== undefined) return {ms: context.nowMs, isWholeSecond: false, countedFrom: '--now'}
  return {ms: part.receivedMs, isWholeSecond: false, countedFrom: 'file time'}
}

async function readExpiries(subject: Subject): Promise<Sample[]> {
  await refuseBadStatus(subject)
  const expiries: Sample[] = []
  let agentSeries = 0
  let otherSeries = 0
  let beginning = ''
  for await (const line of metricLines(subject.part.body)) {
    if (beginning.length < 500) beginning += `${line}\n`
    const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0]
    if (name === undefined) continue
    // All lines of one metric stand together (Prometheus text format, "Grouping and sorting").
    if (name !== EXPIRY && expiries.length > 0) break
    if (name.startsWith(AGENT_PREFIX)) agentSeries += 1
    else if (parseSample(line) !== undefined) {
      otherSeries += 1
      // One registry writes all of the agent's series in one go.
      if (agentSeries > 0) break
    }
    if (name !== EXPIRY) continue
    const sample = parseSample(line)
    if (sample === undefined) throw contentError(subject, 'bad-payload', `the line of ${EXPIRY} is no metric`)
    expiries.push(sample)
  }
  if (expiries.length > 0) return expiries
  if (agentSeries + otherSeries > 0) {
    throw contentError(
      subject,
      'no-source',
      `no ${EXPIRY} in it, as with certificates from files`,
      'Compare the certificates instead: --source agent-files, or --sds for one TARGET',
    )
  }
  if (beginning.trim() === '') throw contentError(subject, 'empty-answer', 'an empty answer')
  throw explainRefusal(subject, beginning)
}
