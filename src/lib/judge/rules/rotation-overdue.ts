import {formatDuration} from '../../domain/format-duration.ts'
import {countedLifeMs, renewalDueMs} from '../../domain/renewal.ts'
import type {Certificate} from '../../domain/certificate.ts'
import type {Finding} from '../../domain/finding.ts'
import type {SecretShowRow} from '../../domain/row.ts'
import {defineRule} from '../define-rule.ts'
import {formatTime} from '../../domain/format-time.ts'
import {isRenewedByAgent} from '../mesh-identity.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {rowFinding} from '../row-finding.ts'
import {secondOf, whereClockDecides} from '../row-clock.ts'
import type {PodRule, PodSeen} from '../rule.ts'

/** An agent may be so much later than its grace ratio says, as a share of the life, before something is wrong. */
const TOLERANCE = 0.05

/** Two ends that tell of one certificate: a metric counts in seconds, and its answer takes its time. */
const SAME_END_MS = 2000

/** An agent that should have renewed a certificate, and did not. */
export const rotationOverdue: PodRule = defineRule<PodRule>({
  name: 'rotation-overdue',
  scope: 'pod',
  severity: 'fail',
  summary: 'Every agent has renewed its certificate when it should',
  meaning: `A certificate that an agent or a ztunnel renews by itself has less of its life left than the agent's grace
ratio (SECRET_GRACE_PERIOD_RATIO of the pod, 0.5 where it is not set) less 0.05. The renewal did not happen. Where the two
sides differ the newest certificate counts: then the renewal did happen, and proxy-stale or agent-stale tells the rest.`,
  importance: 'Nothing fails yet; when the certificate ends, all traffic of the pod does.',
  action: 'Look in the log of istio-proxy and of istiod for refused certificate requests, then restart the pod',
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-metrics', 'agent-files'],
  settles: true,
  judge(seen) {
    const {agent} = seen
    const rows = seen.held.filter((row) => isRenewedByAgent(row, agent))
    const names = [...new Set(rows.map(({name}) => name))]
    const judged = names.map((name) =>
      judgeNewest(
        rows.filter((row) => row.name === name),
        seen,
      ),
    )
    const findings = judged.flatMap((found) => found ?? [])
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    if (agent.trustSource !== 'istiod' && agent.trustSource !== 'another CA')
      return {cause: 'scope', reason: `its certificates are from ${agent.trustSource}, and no agent renews them`}
    if (judged.some((one) => one !== undefined)) return []
    const reason = names.length === 0 ? 'it holds no certificate that an agent renews' : UNTOLD
    return {cause: 'scope', reason}
  },
})

const UNTOLD = 'it is not known when its certificate began, so not when it is due'

/** Undefined where it cannot be told. */
function judgeNewest(rows: readonly SecretShowRow[], {agent}: PodSeen): readonly Finding[] | undefined {
  const known = rows.flatMap((row) => (row.certificate?.readable === true ? [{row, leaf: row.certificate}] : []))
  // Of two that are as new as each other, the one that says more.
  const [newest] = known.toSorted((a, b) => endOrder(b.leaf, a.leaf) || knownStart(b.leaf) - knownStart(a.leaf))
  if (newest === undefined) return undefined
  const {row, leaf} = newest
  const notBeforeMs =
    leaf.notBeforeMs ??
    startLike(
      leaf,
      known.map((one) => one.leaf),
    )
  const second = secondOf(row)
  if (notBeforeMs === undefined || second === undefined) return undefined
  const dated = {...leaf, notBeforeMs}
  const [dueMs, lifeMs] = [renewalDueMs(dated, agent.graceRatio), countedLifeMs(dated)]
  if (dueMs === undefined || lifeMs === undefined) return undefined
  // Whole ms: a share that no number holds exactly is no second earlier.
  const overdueMs = leaf.notAfterMs - Math.round(Math.max(agent.graceRatio - TOLERANCE, 0) * lifeMs)
  const isOverdue = (at: number): boolean => at * 1000 > overdueMs
  if (!isOverdue(second)) return []
  const leftMs = leaf.notAfterMs - second * 1000
  const life = formatDuration(leaf.notAfterMs - notBeforeMs)
  const left = leftMs < 0 ? `ended ${formatDuration(leftMs)} ago` : `has ${formatDuration(leftMs)} left of ${life}`
  const text = `${left}, and its renewal was due at ${formatTime(dueMs)}`
  return [
    rowFinding(rotationOverdue, row, {
      text: `${text}${whereClockDecides(row, isOverdue)}`,
      values: {
        seconds_left: Math.floor(leftMs / 1000),
        grace_ratio: agent.graceRatio,
        renewal_due: formatTime(dueMs),
      },
    }),
  ]
}

function endOrder(one: Certificate, other: Certificate): number {
  const difference = one.notAfterMs - other.notAfterMs
  return Math.abs(difference) <= SAME_END_MS ? 0 : difference
}

function knownStart({notBeforeMs}: Certificate): number {
  return Number(notBeforeMs !== undefined)
}

/** An agent makes all of its certificates for the same time: the proxy's older one tells how long. */
function startLike({notAfterMs}: Certificate, others: readonly Certificate[]): number | undefined {
  const other = others.find((one) => one.notBeforeMs !== undefined)
  return other?.notBeforeMs === undefined ? undefined : notAfterMs - (other.notAfterMs - other.notBeforeMs)
}
