import {BY_DESIGN, NO_LONGER_NEEDED} from '../../domain/rank.ts'
import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'
import {isSettled} from '../settled-row.ts'

/** An identity that a ztunnel could not get. */
export const secretUnavailable = ruleOnRows(
  {
    name: 'secret-unavailable',
    severity: 'fail',
    summary: 'A ztunnel holds every identity that it needs',
    meaning: 'The ztunnel asked for a certificate of this identity and did not get it.',
    importance: 'Traffic of the pods of this identity on that node is not let through.',
    action: 'Look at the log of the ztunnel and of istiod for the refused request',
  },
  (row, rule) => {
    if (!isSettled(row) || row.state !== 'UNAVAILABLE' || row.statusReason === NO_LONGER_NEEDED) return []
    const isMild = 'result' in row && row.reason === BY_DESIGN.alsoActive
    const text = `unavailable: ${row.statusReason ?? 'no reason given'}`
    return [rowFinding(rule, row, {text, severity: isMild ? 'warn' : 'fail'})]
  },
)
