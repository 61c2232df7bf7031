import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'
import {isSettled} from '../settled-row.ts'

/** A secret that the proxy lists as active and never took up. */
export const secretUninitialized = ruleOnRows(
  {
    name: 'secret-uninitialized',
    severity: 'fail',
    summary: 'Every secret that a proxy lists as active was taken up',
    meaning: 'The proxy lists the secret without ever having been given it.',
    importance: 'Listeners and clusters that need it do not serve.',
    action: 'See whether the agent has it: agentctl secrets diff of this pod; then the log of istio-proxy',
  },
  (row, rule) =>
    isSettled(row) && row.state === 'UNINITIALIZED'
      ? [rowFinding(rule, row, {text: 'listed as active, but never taken up'})]
      : [],
)
