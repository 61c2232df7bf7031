import type {Side} from '../domain/question.ts'
import type {SecretShowRow} from '../domain/row.ts'
import type {Signatures} from '../domain/signatures.ts'
import {checkChain} from './check-chain.ts'
import type {GatheredEvidence} from './gather.ts'
import {type Held, kindOf} from './held.ts'
import {rowsOf} from './secret-row.ts'

/** What each side holds, as `listSecrets`, each chain followed to what its own side trusts. */
export function showSecrets(evidence: GatheredEvidence, signatures: Signatures): readonly SecretShowRow[] {
  const {agent, proxy} = evidence.gathered
  return [
    ...rows('agent', agent.held, signatures),
    ...rows('proxy', [...proxy.held, ...proxy.loose], signatures),
  ].filter(({name}) => evidence.secretNames?.includes(name) ?? true)
}

function rows(side: Side, held: readonly Held[], signatures: Signatures): readonly SecretShowRow[] {
  return held.flatMap((one) => {
    const seen = {side, source: one.by.source}
    const isChain = kindOf(one) === 'chain' && one.item.certificates.length > 0
    const check = isChain ? {check: checkChain(one, held, signatures)} : {}
    return rowsOf(one).map((row) => ({...row, ...seen, ...check}))
  })
}
