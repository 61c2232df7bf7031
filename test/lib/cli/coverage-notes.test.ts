import {expect, test} from '@jest/globals'
import {coverageLines} from '../../../src/lib/cli/coverage-notes.ts'
import type {RuleCoverage} from '../../../src/lib/domain/rule.ts'

function open(rule: string, cause: 'scope' | 'forbidden' | 'failed', pods: number, example: string): RuleCoverage {
  return {rule, evaluated: 1, notEvaluated: [{cause, pods, example}]}
}

test('rules that lacked the same evidence are told together, what failed before what was not there', () => {
  const lines = coverageLines({
    incomplete: false,
    rules: [],
    outcomes: [{rule: 'root-divergent', result: 'not-evaluated', cause: 'scope', reason: 'no mesh roots were seen'}],
    coverage: [
      open('clock-skew', 'scope', 2, 'no answer told its time'),
      open('proxy-stale', 'failed', 1, 'Cannot reach it'),
      open('agent-stale', 'failed', 1, 'Cannot reach it'),
      {rule: 'cert-expired', evaluated: 5, notEvaluated: []},
    ],
  })

  expect(lines).toEqual([
    'Not evaluated on 1 pod: proxy-stale, agent-stale (Cannot reach it)',
    'Not evaluated on 2 pods: clock-skew (no answer told its time)',
    'Not evaluated on the fleet: root-divergent (no mesh roots were seen)',
  ])
})

test('of many gaps the first are told, and that there are more', () => {
  const coverage = Array.from({length: 9}, (_, index) => open(`rule-${index}`, 'failed', 1, `reason ${index}`))

  const lines = coverageLines({rules: [], incomplete: false, outcomes: [], coverage})

  expect(lines).toHaveLength(7)
  expect(lines.at(-1)).toContain('fleet.coverage')
})

test('of many rules that lacked the same, some are named', () => {
  const coverage = Array.from({length: 9}, (_, index) => open(`rule-${index}`, 'failed', 3, 'Cannot reach it'))

  expect(coverageLines({rules: [], incomplete: false, outcomes: [], coverage})).toEqual([
    'Not evaluated on 3 pods: rule-0, rule-1, rule-2, rule-3 and 5 more rules (Cannot reach it)',
  ])
})
