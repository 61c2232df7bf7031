import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {CounterName, CountersSeen} from '../../domain/health-seen.ts'
import type {ExpirySeen, Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {counterOf, NO_COUNTS} from './agent-counters.ts'
import {metricLines} from './metric-lines.ts'
import {parseSample, type Sample} from './parse-sample.ts'

/** Seconds until the agent's certificate ends (Istio 1.14 and later); there is none for certificates from files. */
const EXPIRY = 'istio_agent_cert_expiry_seconds'
const AGENT_PREFIX = 'istio_agent_'

/**
 * When the agent's certificates end, and what it has counted where that is wanted, from its metrics. The answer goes on
 * with the rest of the agent's, Envoy's and the application's, which can be slow and large: reading stops behind the
 * series that tell it, or behind the agent's own.
 */
export async function decodeAgentMetrics(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const seen: Omit<ExpirySeen, 'by'>[] = []
  const counted: Omit<CountersSeen, 'by'>[] = []
  const {wantsCounters = false} = context
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'metrics of the agent', part}
    const {samples, counts, isOfAgent, beginning} = await readSeries(subject, wantsCounters)
    if (wantsCounters && isOfAgent) counted.push({type: 'counters', counts})
    if (samples.length === 0) throw noExpiry(subject, beginning)
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
  return [...[...seen, ...counted].map((one) => ({...one, by})), ...unusable]
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

interface Series {
  /** Of the expiries. */
  readonly samples: readonly Sample[]
  readonly counts: Readonly<Record<CounterName, number>>
  /** The agent's own registry spoke: what it does not name, it never counted. */
  readonly isOfAgent: boolean
  /** Of the text; undefined where it holds metrics. */
  readonly beginning: string | undefined
}

async function readSeries(subject: Subject, wantsCounters: boolean): Promise<Series> {
  await refuseBadStatus(subject)
  const samples: Sample[] = []
  const counts = {...NO_COUNTS}
  let agentSeries = 0
  let otherSeries = 0
  let beginning = ''
  for await (const line of metricLines(subject.part.body)) {
    if (beginning.length < 500) beginning += `${line}\n`
    const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0]
    if (name === undefined) continue
    // All lines of one metric stand together (Prometheus text format, "Grouping and sorting").
    if (!wantsCounters && name !== EXPIRY && samples.length > 0) break
    if (name.startsWith(AGENT_PREFIX)) agentSeries += 1
    else if (parseSample(line) !== undefined) {
      otherSeries += 1
      // One registry writes all of the agent's series in one go.
      if (agentSeries > 0) break
    }
    if (name === EXPIRY) {
      const sample = parseSample(line)
      if (sample === undefined) throw contentError(subject, 'bad-payload', `the line of ${EXPIRY} is no metric`)
      samples.push(sample)
    } else {
      const counted = counterOf(name, line)
      if (counted !== undefined) counts[counted.name] += counted.value
    }
  }
  const isOfAgent = agentSeries > 0
  return {samples, counts, isOfAgent, beginning: agentSeries + otherSeries > 0 ? undefined : beginning}
}

function noExpiry(subject: Subject, beginning: string | undefined): Error {
  if (beginning === undefined) {
    return contentError(
      subject,
      'no-source',
      `no ${EXPIRY} in it, as with certificates from files`,
      'Compare the certificates instead: --source agent-files, or --sds for one TARGET',
    )
  }
  if (beginning.trim() === '') return contentError(subject, 'empty-answer', 'an empty answer')
  return explainRefusal(subject, beginning)
}
