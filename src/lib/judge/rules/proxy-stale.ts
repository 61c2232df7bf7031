import {disagreementOf, isBundle} from '../disagreement.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A proxy that does not hold the certificate which its agent has. */
export const proxyStale = ruleOnComparison(
  {
    name: 'proxy-stale',
    severity: 'fail',
    summary: 'Every proxy holds the certificate that its agent has',
    meaning: `Agent and proxy hold different certificates of one secret, at two readings, and the proxy's is not the newer
one: the agent renewed it, and the proxy did not take it up.`,
    importance: 'The proxy shows the old certificate until that ends, and then refuses all traffic.',
    action: 'Restart the pod, and keep the log of istio-proxy from before: it says why the push did not arrive',
  },
  (row, rule) => {
    const found = disagreementOf(row)
    return found?.rule === 'proxy-stale' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  (row) => !isBundle(row),
)
