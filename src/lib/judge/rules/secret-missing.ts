import {isBundle} from '../disagreement.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A secret that only one side holds. */
export const secretMissing = ruleOnComparison(
  {
    name: 'secret-missing',
    severity: 'fail',
    summary: 'What one side holds, the other does too',
    meaning: 'One side holds a secret that the other, which tells all of its secrets, does not.',
    importance: 'A proxy without it does not serve what needs it; an agent without it cannot renew it.',
    action: 'See both sides in full with agentctl secrets show, and the log of istio-proxy',
  },
  (row, rule) => {
    if (!('result' in row) || !row.confirmed) return []
    if (row.result === 'ONLY_AGENT') return [rowFinding(rule, row, {text: 'the proxy does not hold it'})]
    return row.result === 'ONLY_PROXY' ? [rowFinding(rule, row, {text: 'the agent does not hold it'})] : []
  },
  (row) => !isBundle(row),
)
