import {certificateParts} from '../certificate-parts.ts'
import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A block that is no certificate, or none at all where one has to be. */
export const certUnreadable = ruleOnRows(
  {
    name: 'cert-unreadable',
    severity: 'fail',
    summary: 'Every certificate can be read',
    meaning: `What stands where a certificate belongs is none, is damaged, or is missing. A validation context without a CA
of its own is a warning.`,
    importance: 'A proxy refuses such a secret and goes on with what it had, if it had anything.',
    action: 'Look at it with agentctl secrets show, and replace it where it comes from',
    lasts: true,
  },
  (row, rule) => {
    if (row.status === 'EMPTY') {
      if (row.state !== 'ACTIVE' && row.state !== 'STATIC') return []
      const severity = row.type === 'Cert Chain' ? 'fail' : 'warn'
      return [rowFinding(rule, row, {text: 'holds no certificate', severity})]
    }
    return certificateParts(row).flatMap(({certificate, status, isMild}) =>
      status === 'INVALID'
        ? rowFinding(rule, row, {
            text: `${certificate.position} cannot be read: ${certificate.readable ? 'its dates contradict' : certificate.problem}`,
            severity: isMild ? 'warn' : 'fail',
          })
        : [],
    )
  },
)
