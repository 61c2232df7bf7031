import {expect, test} from '@jest/globals'
import {severityRank, verdictRank, worstSeverity, worstVerdict} from '../../../src/lib/domain/rank.ts'

test('worse comes first: what failed, what is not known, what is a warning', () => {
  expect((['ok', 'warn', 'fail', 'unknown'] as const).toSorted((a, b) => severityRank(a) - severityRank(b))).toEqual([
    'fail',
    'unknown',
    'warn',
    'ok',
  ])
  expect(
    (['skipped', 'pass', 'warn', 'fail', 'unknown'] as const).toSorted((a, b) => verdictRank(a) - verdictRank(b)),
  ).toEqual(['fail', 'unknown', 'warn', 'pass', 'skipped'])
})

test('the worst of several is told, and nothing is fine', () => {
  expect(worstSeverity(['ok', 'unknown', 'warn'])).toBe('unknown')
  expect(worstSeverity([])).toBe('ok')
  expect(worstVerdict(['pass', 'warn', 'skipped'])).toBe('warn')
  expect(worstVerdict(['skipped'])).toBe('skipped')
  expect(worstVerdict([])).toBe('pass')
})
