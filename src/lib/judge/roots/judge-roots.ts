import type {Finding} from '../../domain/finding.ts'
import type {FleetRoots} from '../../domain/roots.ts'
import {judgeBlindness} from './blind-pods.ts'
import {judgeOrphans} from './orphans.ts'
import {judgeExpected} from './expected-root.ts'
import {judgeNeeded} from './root-in-use.ts'

/** What of a fleet's mesh roots does not hold: the answers to what was asked, and what nobody has to ask for. */
export function judgeRoots({answers, blind, orphans}: FleetRoots): readonly Finding[] {
  return [
    ...answers.flatMap((answer) => (answer.question === 'expect' ? judgeExpected(answer) : judgeNeeded(answer))),
    ...judgeBlindness(blind),
    ...judgeOrphans(orphans),
  ]
}
