import type {Finding} from '../../domain/report.ts'
import type {SecretDiffRow} from '../../domain/row.ts'
import {describeRow, oneLine} from '../describe-row.ts'

/** What the two sides do not hold alike, once it is confirmed; a secret that differs is one finding, not one a side. */
export function judgeDifference(row: SecretDiffRow): readonly Finding[] {
  const about = describeRow(row)
  if (row.result === 'PENDING')
    return [{rule: 'root-missing', severity: 'warn', message: `${about}: ${oneLine(row.reason)}`}]
  if (!row.confirmed) return []
  if (row.result === 'ONLY_AGENT')
    return [{rule: 'secret-missing', severity: 'fail', message: `${about}: the proxy does not hold it`}]
  if (row.result === 'ONLY_PROXY')
    return [{rule: 'secret-missing', severity: 'fail', message: `${about}: the agent does not hold it`}]
  if (row.result !== 'MISMATCH' || isAgentHalf(row)) return []
  return [{rule: ruleOf(row.reason), severity: 'fail', message: `${about}: ${oneLine(row.reason)}`}]
}

/** Of a pair of rows the proxy's speaks for both. */
function isAgentHalf({type, agent, proxy}: SecretDiffRow): boolean {
  return agent !== '' && proxy === '' && type !== 'CA' && type !== 'SPIFFE Bundle'
}

function ruleOf(reason: string): string {
  if (reason.startsWith('root missing')) return 'root-missing'
  if (reason === 'agent is stale') return 'agent-stale'
  if (reason === 'other trust domain') return 'trust-domain-mismatch'
  return 'proxy-stale'
}
