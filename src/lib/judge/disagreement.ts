import type {SecretDiffRow} from '../domain/row.ts'
import type {Row} from './describe-row.ts'

/** The rules that tell of two sides which do not hold the same. */
export type DisagreementRule = 'root-missing' | 'agent-stale' | 'trust-domain-mismatch' | 'proxy-stale'

/**
 * What a confirmed MISMATCH is; undefined for all other rows. A secret that differs is one finding, not one a side: of a
 * pair of rows the proxy's speaks for both. What the proxy could not get at all another rule tells.
 */
export function disagreementOf(row: Row): {readonly rule: DisagreementRule; readonly row: SecretDiffRow} | undefined {
  if (!('result' in row) || !row.confirmed || row.result !== 'MISMATCH' || isAgentHalf(row)) return undefined
  if (row.state === 'UNAVAILABLE') return undefined
  return {rule: ruleOf(row.reason), row}
}

/** A bundle of roots, and not a chain. */
export function isBundle({type}: SecretDiffRow): boolean {
  return type === 'CA' || type === 'SPIFFE Bundle'
}

function isAgentHalf(row: SecretDiffRow): boolean {
  return row.agent !== '' && row.proxy === '' && !isBundle(row)
}

function ruleOf(reason: string): DisagreementRule {
  if (reason.startsWith('root missing')) return 'root-missing'
  if (reason === 'agent is stale') return 'agent-stale'
  if (reason === 'other trust domain') return 'trust-domain-mismatch'
  return 'proxy-stale'
}
