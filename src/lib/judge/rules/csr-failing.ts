import type {Finding} from '../../domain/finding.ts'
import type {CountersSeen} from '../../domain/health-seen.ts'
import {renewalDueMs} from '../../domain/renewal.ts'
import {defineRule} from '../define-rule.ts'
import {formatTime} from '../../domain/format-time.ts'
import {asNotEvaluated, missingSource} from '../missing-evidence.ts'
import type {Judged, PodRule, PodSeen} from '../rule.ts'

/** Agents that ask a CA for their certificates; all others are given them. */
const WITH_CA: ReadonlySet<string> = new Set(['istiod', 'another CA'])

/** Certificates whose ends differ by no more are one: a metric counts whole seconds. */
const SAME_END_MS = 2000

/** An agent whose requests for certificates fail. */
export const csrFailing: PodRule = defineRule<PodRule>({
  name: 'csr-failing',
  scope: 'pod',
  severity: 'fail',
  settles: true,
  summary: 'The certificate requests of agents are answered',
  meaning: `Requests for a certificate have failed, and the one in use is past the moment of its renewal; or further ones
failed during --sample. Failures alone mean nothing: they are counted since the start, and an agent tries again.`,
  importance: 'The certificate ends without a successor, and the workload with it.',
  sources: ['agent-metrics'],
  flags: ['--sample'],
  action: `See why in the logs of the agent and of istiod (grep for CSR): istiod unreachable, token refused, or its own
certificate over`,
  judge(seen) {
    const {capturedAs, statusPort, dialect, trustSource, tellsReady = []} = seen.agent
    const counters = seen.observations.find((one) => one.type === 'counters')
    if (counters !== undefined) return judgeCounters(counters, seen)
    const isAbout = tellsReady.includes('agent') && dialect !== 'ztunnel' && WITH_CA.has(trustSource)
    if (!isAbout || capturedAs !== undefined) return undefined
    if (statusPort === undefined) return {cause: 'scope', reason: 'its status port is switched off'}
    return missingSource('agent-metrics', seen) ?? {cause: 'scope', reason: 'its agent was not asked for its metrics'}
  },
})

function judgeCounters({counts, sample}: CountersSeen, seen: PodSeen): Judged {
  const {'csrs-sent': sent, 'csrs-failed': failed} = counts
  const find = (message: string, more: NonNullable<Finding['values']>): readonly Finding[] => [
    {
      rule: csrFailing.name,
      severity: csrFailing.severity,
      message,
      subject: 'certificate requests',
      values: {sent, failed, ...more},
      hint: csrFailing.action,
    },
  ]
  const isSampled = sample !== undefined && !('failure' in sample)
  const grown = isSampled ? sample.grown['csrs-failed'] : 0
  if (isSampled && grown > 0) {
    const seconds = sample.ms / 1000
    return find(`certificate requests fail: ${grown} within ${seconds} s`, {grown, sample_seconds: seconds})
  }
  const dueMs = failed > 0 ? pastRenewal(seen) : undefined
  if (dueMs === undefined) {
    return sample === undefined || isSampled ? [] : asNotEvaluated(sample.failure)
  }
  const due = formatTime(dueMs)
  return find(`${failed} of ${sent} certificate requests failed, and its certificate was to be renewed by ${due}`, {
    renewal_due: due,
  })
}

/** The moment by which the agent's certificate was to be renewed, if that is over; ms since 1970. */
function pastRenewal({observations, held, agent, nowMs}: PodSeen): number | undefined {
  const expiry = observations.find((one) => one.type === 'expiry' && one.name === 'default')
  if (expiry?.type !== 'expiry') return undefined
  // Its beginning is told by whoever holds it whole: the proxy, while it has the same one.
  const dues = held.flatMap(({name, certificate}) => {
    const isIt =
      name === expiry.name &&
      certificate?.readable === true &&
      Math.abs(certificate.notAfterMs - expiry.notAfterMs) <= SAME_END_MS
    return isIt ? (renewalDueMs(certificate, agent.graceRatio) ?? []) : []
  })
  const dueMs = Math.min(expiry.notAfterMs, ...dues)
  return dueMs < nowMs ? dueMs : undefined
}
