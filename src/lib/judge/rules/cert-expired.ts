import {certificateParts} from '../certificate-parts.ts'
import {formatTime} from '../../domain/format-time.ts'
import {ruleOnRows} from '../over-rows.ts'
import {whereClockDecides} from '../row-clock.ts'
import {rowFinding} from '../row-finding.ts'

/** A leaf, an intermediate or a root that is over. */
export const certExpired = ruleOnRows(
  {
    name: 'cert-expired',
    severity: 'fail',
    summary: 'No certificate has ended',
    meaning: `A certificate that a side holds is past its last second. A root that stands beside a valid one of its trust
domain, or that a chain carries along, is a warning: whoever verifies uses another.`,
    importance: 'Whoever is shown it refuses the connection, unless it was opened before.',
    action: 'Look why it was not renewed: agentctl check --rule rotation-overdue,csr-failing, and the log of the agent',
  },
  (row, rule) =>
    certificateParts(row).flatMap(({certificate, status, isMild}) =>
      status === 'EXPIRED' && certificate.readable
        ? rowFinding(rule, row, {
            text: `${certificate.position} ended at ${formatTime(certificate.notAfterMs)}${whereClockDecides(row, (at) => at > Math.floor(certificate.notAfterMs / 1000))}`,
            severity: isMild ? 'warn' : 'fail',
          })
        : [],
    ),
)
