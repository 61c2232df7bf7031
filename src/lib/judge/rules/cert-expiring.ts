import type {Certificate} from '../../domain/certificate.ts'
import type {Finding} from '../../domain/finding.ts'
import {formatDuration} from '../../domain/format-duration.ts'
import type {SecretDiffRow} from '../../domain/row.ts'
import {certificateParts} from '../certificate-parts.ts'
import {defineRule} from '../define-rule.ts'
import {formatTime} from '../../domain/format-time.ts'
import {isRenewedByAgent} from '../mesh-identity.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {secondOf, whereClockDecides} from '../row-clock.ts'
import {rowFinding} from '../row-finding.ts'
import type {PodRule, PodSeen} from '../rule.ts'
import {defaultLimits, type Limit, type Limits, limitMs} from '../thresholds.ts'

/** A certificate that ends soon. */
export const certExpiring: PodRule = defineRule<PodRule>({
  name: 'cert-expiring',
  scope: 'pod',
  severity: 'fail',
  summary: 'No certificate is about to end',
  meaning: `A certificate has less left than the limits of its kind. A leaf that an agent renews: a failure with less than
10% of its life, or half the agent's grace ratio, whichever is less; no warning, since rotation-overdue tells it earlier.
Other leaves: a warning with less than 30% or 30 days, a failure with less than 10% or 7 days, whichever is less.
Intermediates: 60 and 14 days. Roots: 90 and 30 days; only a warning where the bundle has another root that lasts.`,
  importance: 'When it ends, whoever is shown it refuses the connection.',
  action: 'Renew it where it comes from: for a gateway its Secret, for an intermediate or a root the CA of the mesh',
  sources: [
    'envoy-config-dump',
    'ztunnel-config-dump',
    'agent-metrics',
    'agent-files',
    'istiod-config-dump',
    'cert-manager',
  ],
  flags: ['--warn-before', '--fail-before'],
  judge(seen) {
    const parts = partsOf(seen).map((part) => judgePart(part, seen))
    const findings = parts.flatMap(({finding}) => finding ?? [])
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    if (parts.length > 0 && parts.every(({isTold}) => !isTold))
      return {cause: 'scope', reason: 'it is not known when its certificates began, so not how much of them is left'}
    return []
  },
})

interface Part {
  readonly certificate: Certificate
  readonly row: SecretDiffRow
  /** As of which it is judged. */
  readonly second: number
}

/** The valid certificates that some side holds, CA certificates once each: of the others another rule tells. */
function partsOf({rows, agent}: PodSeen): readonly Part[] {
  const authorities = new Set<string>()
  return rows.flatMap((row) => {
    const second = secondOf(row)
    if (second === undefined || (row.agent === '' && row.proxy === '')) return []
    return certificateParts(row).flatMap(({certificate, status}, index) => {
      if (status !== 'VALID' || !certificate.readable) return []
      const {position, fingerprint} = certificate
      // Whoever verifies a chain uses his own roots, which stand in a row of their own; a ztunnel's stand only here.
      if (index > 0 && position === 'root' && agent.dialect !== 'ztunnel') return []
      if (position !== 'leaf' && fingerprint !== undefined) {
        if (authorities.has(fingerprint)) return []
        authorities.add(fingerprint)
      }
      return [{certificate, row, second}]
    })
  })
}

interface JudgedPart {
  /** Whether its limits could be told. */
  readonly isTold: boolean
  readonly finding?: Finding
}

function certificateOf({certificate}: SecretDiffRow): Certificate | undefined {
  return certificate?.readable === true ? certificate : undefined
}

function judgePart({certificate, row, second}: Part, seen: PodSeen): JudgedPart {
  const {position, notBeforeMs, notAfterMs} = certificate
  const lifeMs = notBeforeMs === undefined ? undefined : notAfterMs - notBeforeMs
  const limits = limitsOf(certificate, row, seen)
  const endSecond = Math.floor(notAfterMs / 1000)
  for (const severity of ['fail', 'warn'] as const) {
    const limit = limits[severity]
    const ms = limit === undefined ? undefined : limitMs(limit, lifeMs)
    if (limit === undefined || ms === undefined) continue
    const isFound = (at: number): boolean => (endSecond - at) * 1000 < ms
    if (!isFound(second)) continue
    const leftSeconds = endSecond - second
    const text = `${position} ends at ${formatTime(notAfterMs)}, in ${formatDuration(leftSeconds * 1000)}: less than ${limitText(limit, ms, lifeMs)}`
    return {
      isTold: true,
      finding: rowFinding(certExpiring, row, {
        text: `${text}${whereClockDecides(row, isFound)}`,
        severity: severity === 'fail' && hasLastingOther(row, seen, ms) ? 'warn' : severity,
        values: {
          position,
          seconds_left: leftSeconds,
          limit_seconds: Math.floor(ms / 1000),
          not_after: formatTime(notAfterMs),
        },
        ...(isAlways(ms, lifeMs) && {
          hint: `Give a share of the life in place of a time, such as ${shareFlag(limit, certificate.position)}`,
        }),
      }),
    }
  }
  const isTold = [limits.warn, limits.fail].every(
    (limit) => limit === undefined || limitMs(limit, lifeMs) !== undefined,
  )
  return {isTold}
}

function limitsOf({position}: Certificate, row: SecretDiffRow, {agent, thresholds}: PodSeen): Limits {
  const renewedAt = isRenewedByAgent(row, agent) ? agent.graceRatio : undefined
  return {...defaultLimits(position, renewedAt), ...thresholds[position]}
}

/** A limit that is longer than the whole life never holds: whoever set it should be told so. */
function isAlways(ms: number, lifeMs: number | undefined): boolean {
  return lifeMs !== undefined && ms >= lifeMs
}

function limitText(limit: Limit, ms: number, lifeMs: number | undefined): string {
  const flag = limit.flag === undefined ? '' : ` (${limit.flag})`
  if (lifeMs === undefined) return `${formatDuration(ms)}${flag}`
  if (isAlways(ms, lifeMs))
    return `${formatDuration(ms)}${flag}, which is more than its whole life of ${formatDuration(lifeMs)}, so that it is never well`
  const isShare = limit.share !== undefined && limit.share * lifeMs <= (limit.ms ?? Number.POSITIVE_INFINITY)
  const text = isShare
    ? `${Number(((limit.share ?? 0) * 100).toFixed(2))}%, ${formatDuration(ms)},`
    : formatDuration(ms)
  return `${text}${flag} of ${formatDuration(lifeMs)}`
}

function shareFlag({flag = '--fail-before'}: Limit, position: string): string {
  return `${flag.split(' ', 1)[0]} ${position}=10%`
}

/** Whether a root stands beside another one of its bundle that lasts longer than the limit. */
function hasLastingOther(row: SecretDiffRow, {rows}: PodSeen, ms: number): boolean {
  if (certificateOf(row)?.position !== 'root') return false
  return rows.some(
    (one) =>
      one !== row &&
      one.name === row.name &&
      one.status === 'VALID' &&
      (one.proxy !== '' || one.agent !== '') &&
      (one.secondsLeft ?? 0) * 1000 >= ms,
  )
}
