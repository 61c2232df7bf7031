import {BY_DESIGN, isDifference, isLoadedOther} from '../domain/rank.ts'
import type {Source} from '../domain/question.ts'
import type {ComparedBy, DiffResult, SecretDiffRow, SecretRow} from '../domain/row.ts'
import type {ProxyState} from '../domain/secret.ts'

/** What a comparison found on a secret item. */
export interface Outcome {
  readonly agent?: 'PRESENT'
  readonly proxy?: ProxyState
  readonly result: DiffResult
  readonly reason?: string
  readonly comparedBy: ComparedBy
  readonly agentSource?: Source
  readonly proxySource?: Source
}

/** A row of the diff. Nothing is confirmed yet that a second reading could change. */
export function diffRow(row: SecretRow, outcome: Outcome): SecretDiffRow {
  const {agent = '', proxy = '', result, reason = '', comparedBy, agentSource, proxySource} = outcome
  const unconfirmed: SecretDiffRow = {
    ...row,
    agent,
    proxy,
    result,
    reason,
    confirmed: false,
    comparedBy,
    ...(agentSource !== undefined && {agentSource}),
    ...(proxySource !== undefined && {proxySource}),
  }
  return {...unconfirmed, confirmed: !mayPass(unconfirmed)}
}

/** A state that may be a moment's: a rotation under way, a proxy that is starting. */
function mayPass(row: SecretDiffRow): boolean {
  if (isDifference(row) || isLoadedOther(row)) return true
  const isOut = row.state === 'UNINITIALIZED' || row.state === 'UNAVAILABLE'
  return isOut && row.reason !== BY_DESIGN.alsoActive
}
