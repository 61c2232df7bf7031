import {certificateParts} from '../certificate-parts.ts'
import {formatTime} from '../../domain/format-time.ts'
import {ruleOnRows} from '../over-rows.ts'
import {whereClockDecides} from '../row-clock.ts'
import {rowFinding} from '../row-finding.ts'

/** A certificate that is used before it begins. */
export const certNotYetValid = ruleOnRows(
  {
    name: 'cert-not-yet-valid',
    severity: 'fail',
    summary: 'Every certificate has begun',
    meaning: 'A certificate that a side holds begins later than now.',
    importance: 'Whoever is shown it refuses the connection until then. Often a clock is wrong, not the certificate.',
    action: 'Compare the clocks of the node, of the CA and of this machine: agentctl check --rule clock-skew',
  },
  (row, rule) =>
    certificateParts(row).flatMap(({certificate, status, isMild}) =>
      status === 'NOT_YET_VALID' && certificate.readable && certificate.notBeforeMs !== undefined
        ? rowFinding(rule, row, {
            text: `${certificate.position} starts at ${formatTime(certificate.notBeforeMs)}${whereClockDecides(row, (at) => at < Math.floor((certificate.notBeforeMs ?? 0) / 1000))}`,
            severity: isMild ? 'warn' : 'fail',
            values: {not_before: formatTime(certificate.notBeforeMs)},
          })
        : [],
    ),
)
