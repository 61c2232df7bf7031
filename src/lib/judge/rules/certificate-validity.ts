import type {CertificateBlock, CertificateStatus} from '../../domain/certificate.ts'
import type {Finding} from '../../domain/report.ts'
import {describeRow, type Row} from '../describe-row.ts'

const RULES = {
  EXPIRED: 'cert-expired',
  NOT_YET_VALID: 'cert-not-yet-valid',
  INVALID: 'cert-unreadable',
} as const

/**
 * A certificate that is not valid now: a leaf, a bundle, or a link of a chain. Only a warning for a root beside a valid
 * one, and for a root that a chain carries along, since whoever verifies uses his own.
 */
export function judgeValidity(row: Row): readonly Finding[] {
  if (row.status === 'EMPTY') return judgeEmpty(row)
  const links = row.chain.map(({certificate, status}) => ({
    certificate,
    status,
    isMild: certificate.position === 'root' && certificate.readable,
  }))
  const first = {certificate: row.certificate, status: row.status, isMild: row.besideValid === true}
  return [first, ...links].flatMap(({certificate, status, isMild}) => {
    const rule = ruleOf(status)
    if (rule === undefined || certificate === undefined) return []
    const message = `${describeRow(row)}: ${certificate.position} ${say(certificate, rule)}`
    return [{rule, severity: isMild ? 'warn' : 'fail', message}] satisfies Finding[]
  })
}

/** A secret in use without a certificate; a validation context may go without a CA of its own. */
function judgeEmpty(row: Row): readonly Finding[] {
  if (row.state !== 'ACTIVE' && row.state !== 'STATIC') return []
  const severity = row.type === 'Cert Chain' ? 'fail' : 'warn'
  return [{rule: 'cert-unreadable', severity, message: `${describeRow(row)}: holds no certificate`}]
}

function ruleOf(status: CertificateStatus | undefined): (typeof RULES)[keyof typeof RULES] | undefined {
  return status === 'EXPIRED' || status === 'NOT_YET_VALID' || status === 'INVALID' ? RULES[status] : undefined
}

function say(certificate: CertificateBlock, rule: string): string {
  if (!certificate.readable) return `cannot be read: ${certificate.problem}`
  const {notBeforeMs, notAfterMs} = certificate
  if (rule === 'cert-not-yet-valid' && notBeforeMs !== undefined) return `starts at ${instant(notBeforeMs)}`
  return `ended at ${instant(notAfterMs)}`
}

function instant(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'an impossible time' : date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
