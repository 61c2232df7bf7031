import {disagreementOf, isBundle} from '../disagreement.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A root that is published, or that the agent has, and that the proxy does not trust. */
export const rootMissing = ruleOnComparison(
  {
    name: 'root-missing',
    severity: 'fail',
    summary: 'Every proxy trusts the roots that it should',
    meaning: `A root that the control plane publishes, that the other side holds, or that is expected with --roots is not
among those of the proxy. A warning until the next renewal of the pod's certificate is due, with which it takes up new
roots.`,
    importance: 'The proxy refuses whoever shows a certificate of that root.',
    action: 'See who lacks it with agentctl secrets roots --expect ROOT; a restart of the pod takes up the roots',
  },
  (row, rule) => {
    if (!('result' in row)) return []
    if (row.result === 'PENDING') return [rowFinding(rule, row, {text: row.reason, severity: 'warn'})]
    const found = disagreementOf(row)
    return found?.rule === 'root-missing' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  isBundle,
)
