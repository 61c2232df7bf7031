import type {Side} from '../domain/question.ts'
import type {SecretListRow} from '../domain/row.ts'
import type {GatheredEvidence} from './gather.ts'
import type {Held} from './held.ts'
import {rowsOf} from './secret-row.ts'

/**
 * What each side holds, without comparing: the agent's secrets, then the proxy's, as they came. Of an agent that only
 * tells an expiry that is one row; published roots are a reference and not the agent's.
 */
export function listSecrets(evidence: GatheredEvidence): readonly SecretListRow[] {
  const {agent, proxy} = evidence.gathered
  return [...rows('agent', agent.held), ...rows('proxy', [...proxy.held, ...proxy.loose])].filter(
    ({name}) => evidence.secretNames?.includes(name) ?? true,
  )
}

function rows(side: Side, held: readonly Held[]): readonly SecretListRow[] {
  return held.flatMap((one) => rowsOf(one).map((row) => ({...row, side, source: one.by.source})))
}
