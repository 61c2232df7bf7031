import type {Answer} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import {podKey} from '../../domain/pod.ts'
import type {SigningEnd} from '../../domain/roots.ts'
import {contentError, type Subject} from '../content-error.ts'
import {readValues} from '../metrics/read-values.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/**
 * Unix seconds at which the first root of istiod's bundle ends (istio `security/pkg/pki/ca`): it signs with that one's
 * key, unless it has been given a CA of its own. An istiod that leaves signing to another CA has no such series.
 */
const ROOT_EXPIRY = 'citadel_server_root_cert_expiry_timestamp'

/** The same of the certificate that it signs with, where it has been given one (1.7+). */
const ISSUER_EXPIRY = 'citadel_server_cert_chain_expiry_timestamp'

/** From istiod's own metrics: when what it signs with ends, where it signs at all. */
export async function decodeIstiodMetrics(answer: Answer): Promise<readonly Observation[]> {
  const {at} = answer.question
  const ends: SigningEnd[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: `metrics of ${at === undefined ? 'istiod' : podKey(at)}`, part}
    const samples = await readValues(subject, new Set([ROOT_EXPIRY, ISSUER_EXPIRY]))
    // Of a bundle the first root need not be the one that it signs under.
    const name = samples.has(ISSUER_EXPIRY) ? ISSUER_EXPIRY : ROOT_EXPIRY
    const seconds = samples.get(name)
    if (seconds === undefined) return
    // Beyond what a Date can hold is as little a time as NaN.
    if (!(Math.abs(seconds) <= 8.64e12)) throw contentError(subject, 'bad-payload', `${name} is no time`)
    ends.push({of: name === ISSUER_EXPIRY ? 'issuer' : 'root', notAfterMs: seconds * 1000})
  })
  const by = spokenBy(answer, dated)
  return [...ends.map((end) => ({type: 'signing' as const, by, ...end})), ...unusable]
}
