import {disagreementOf, isBundle} from '../disagreement.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A proxy that holds a newer certificate than its agent. */
export const agentStale = ruleOnComparison(
  {
    name: 'agent-stale',
    severity: 'fail',
    summary: 'No agent has an older certificate than its proxy',
    meaning: 'The proxy holds a newer certificate than the agent: the agent lost it, or was started with an old one.',
    importance: 'When the proxy restarts, it is given the old one.',
    action: 'Look whether two agents serve this pod, and restart it',
  },
  (row, rule) => {
    const found = disagreementOf(row)
    return found?.rule === 'agent-stale' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  (row) => !isBundle(row),
)
