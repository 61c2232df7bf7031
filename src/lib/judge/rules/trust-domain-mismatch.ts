import {disagreementOf, isBundle} from '../disagreement.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** Two sides whose identities are of different trust domains. */
export const trustDomainMismatch = ruleOnComparison(
  {
    name: 'trust-domain-mismatch',
    severity: 'fail',
    summary: 'Agent and proxy are of one trust domain',
    meaning: 'The certificates of the two sides name different trust domains.',
    importance: 'Authorization policies and peers of the one refuse what the other shows.',
    action: "Compare trustDomain in the mesh's config and in the pod's PROXY_CONFIG, and restart the pod",
  },
  (row, rule) => {
    const found = disagreementOf(row)
    return found?.rule === 'trust-domain-mismatch' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  (row) => !isBundle(row),
)
