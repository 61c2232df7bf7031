import type {Finding} from '../domain/report.ts'
import type {FleetRoots} from '../domain/roots.ts'
import {judgeBlindness} from './rules/root-divergent.ts'
import {judgeOrphans} from './rules/chain-untrusted.ts'
import {judgeExpected} from './rules/root-missing.ts'
import {judgeNeeded} from './rules/root-in-use.ts'

/** What of a fleet's mesh roots does not hold: the answers to what was asked, and what nobody has to ask for. */
export function judgeRoots({answers, blind, orphans}: FleetRoots): readonly Finding[] {
  return [
    ...answers.flatMap((answer) => (answer.question === 'expect' ? judgeExpected(answer) : judgeNeeded(answer))),
    ...judgeBlindness(blind),
    ...judgeOrphans(orphans),
  ]
}
