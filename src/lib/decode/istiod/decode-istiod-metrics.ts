import type {Answer} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import {podKey} from '../../domain/pod.ts'
import {contentError, type Subject} from '../content-error.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {metricLines} from '../metrics/metric-lines.ts'
import {parseSample} from '../metrics/parse-sample.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/**
 * Unix seconds at which the root ends that istiod signs under, the first of its bundle (istio `security/pkg/pki/ca`). An
 * istiod that leaves signing to another CA has no such series.
 */
const ROOT_EXPIRY = 'citadel_server_root_cert_expiry_timestamp'

/** From istiod's own metrics: when the root ends that it signs under, where it signs at all. */
export async function decodeIstiodMetrics(answer: Answer): Promise<readonly Observation[]> {
  const {at} = answer.question
  const endsMs: number[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: `metrics of ${at === undefined ? 'istiod' : podKey(at)}`, part}
    const seconds = await readRootExpiry(subject)
    if (seconds === undefined) return
    // Beyond what a Date can hold is as little a time as NaN.
    if (!(Math.abs(seconds) <= 8.64e12)) throw contentError(subject, 'bad-payload', `${ROOT_EXPIRY} is no time`)
    endsMs.push(seconds * 1000)
  })
  const by = spokenBy(answer, dated)
  return [...endsMs.map((notAfterMs) => ({type: 'signing-root' as const, by, notAfterMs})), ...unusable]
}

async function readRootExpiry(subject: Subject): Promise<number | undefined> {
  await refuseBadStatus(subject)
  let first: string | undefined
  let series = 0
  for await (const line of metricLines(subject.part.body)) {
    first ??= line
    const sample = parseSample(line)
    if (sample?.name === ROOT_EXPIRY) return sample.value
    if (sample !== undefined) series += 1
  }
  if (series === 0) throw explainRefusal(subject, first ?? '')
  return undefined
}
