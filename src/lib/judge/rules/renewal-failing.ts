import type {Finding} from '../../domain/finding.ts'
import {formatDuration} from '../../domain/format-duration.ts'
import type {ManagedSecret} from '../../domain/managed-secret.ts'
import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import {formatTime} from '../../domain/format-time.ts'
import {missingCertificates, missingSource} from '../missing-evidence.ts'
import type {PodRule} from '../rule.ts'

/** A renewal that is due is done within minutes, or fails and is tried again after an hour (cert-manager's backoff). */
const TOLERANCE_MS = 3_600_000

/** What cert-manager keeps new, by the name of the secret. */
const FROM_SECRET = /^kubernetes(?:-gateway)?:\/\//

/** A certificate of a gateway that cert-manager does not renew. */
export const renewalFailing: PodRule = defineRule<PodRule>({
  name: 'renewal-failing',
  scope: 'pod',
  severity: 'fail',
  summary: 'cert-manager renews what it keeps new for a gateway',
  meaning: `The Certificate of cert-manager that writes the Secret of one of the proxy's secrets is not Ready, or its renewal
was due more than an hour ago.`,
  importance: 'The gateway shows the old certificate until that ends, and then its clients refuse it.',
  action: 'Look at the Certificate, its CertificateRequest and its Order with kubectl describe: the issuer says why',
  sources: ['cert-manager'],
  judge(seen) {
    const {managed, rows, failures} = seen
    const findings = [...new Map(managed.map((one) => [titleOf(one), one])).values()].flatMap((one) => findingsOn(one))
    if (findings.length > 0) return findings
    if (!rows.some(({name}) => FROM_SECRET.test(name)))
      return seen.agent.kind.includes('gateway') ? missingCertificates(seen) : undefined
    const missing = missingSource('cert-manager', {failures})
    if (missing !== undefined) return missing
    return managed.length > 0 ? [] : {cause: 'scope', reason: 'no Certificate of cert-manager keeps its secrets new'}
  },
})

function titleOf({namespace, certificate}: ManagedSecret): string {
  return `Certificate ${namespace}/${certificate.name}`
}

function findingsOn(managed: ManagedSecret): readonly Finding[] {
  const {certificate, clockMs, secret, namespace} = managed
  const {ready, renewalMs, isIssuing} = certificate
  const overdueMs = renewalMs === undefined ? 0 : clockMs - renewalMs
  const problems = [
    ...(ready === undefined ? ['has no Ready condition: is cert-manager running?'] : []),
    ...(ready?.isTrue === false
      ? [['is not Ready', ready.reason, ready.message].filter((text) => text !== '').join(': ')]
      : []),
    ...(renewalMs !== undefined && overdueMs > TOLERANCE_MS
      ? [`was due to be renewed at ${formatTime(renewalMs)}, ${formatDuration(overdueMs)} ago`]
      : []),
  ]
  if (problems.length === 0) return []
  const {name, action} = renewalFailing
  const title = titleOf(managed)
  return [
    {
      rule: name,
      severity: 'fail',
      message: oneLine(
        `${title} of secret ${secret} ${problems.join(', and ')}${isIssuing ? ' (the next one is being issued)' : ''}`,
      ),
      subject: title,
      values: {
        secret,
        ...(renewalMs !== undefined && {renewal_due: formatTime(renewalMs)}),
        ...(certificate.notAfterMs !== undefined && {not_after: formatTime(certificate.notAfterMs)}),
      },
      hint: /^[a-z0-9.-]+$/.test(certificate.name)
        ? `kubectl describe certificate ${certificate.name} -n ${namespace}`
        : action,
    },
  ]
}
