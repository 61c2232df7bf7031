import {expect, test} from '@jest/globals'
import type {Finding} from '../../../src/lib/domain/finding.ts'
import type {CheckItem, ReportEvent} from '../../../src/lib/domain/report.ts'
import {checkReportView} from '../../../src/lib/report/views/check-report.ts'
import {checkItem} from './items.ts'
import {renderText} from './render-text.ts'

const view = checkReportView([])

function item(name: string, findings: readonly Finding[], incomplete = false): CheckItem {
  return checkItem(name, {findings, incomplete})
}

async function linesOf(events: readonly ReportEvent<CheckItem>[]): Promise<readonly string[]> {
  return (await renderText('github', view, events)).text.trim().split('\n')
}

function beginning(lines: readonly string[], start: string): readonly string[] {
  return lines.filter((line) => line.startsWith(start))
}

test('what is not of a rule is one of the ten annotations that are shown of a kind', async () => {
  const findings = (['fail', 'warn'] as const).flatMap((severity) =>
    Array.from({length: 12}, (_, n): Finding => ({rule: 'weak-key', severity, message: `${severity} ${n}`})),
  )

  const lines = await linesOf([
    {type: 'item', item: item('cart-1', findings, true)},
    {type: 'stopped', code: 'timeout', message: 'The time is over'},
  ])

  expect(beginning(lines, '::error')).toHaveLength(10)
  expect(beginning(lines, '::warning')).toHaveLength(10)
  expect(lines.join('\n')).toContain('4 more findings')
  expect(beginning(lines, '::error title=agentctl%3A stopped early')).toHaveLength(1)
})

test('a pod that has the same finding twice is one place', async () => {
  const same: Finding = {rule: 'weak-key', severity: 'fail', message: 'The key is weak'}

  const lines = await linesOf([
    {type: 'item', item: item('cart-1', [same, same])},
    {type: 'item', item: item('cart-2', [same])},
  ])

  expect(beginning(lines, '::error')).toEqual(['::error title=weak-key%3A shop/cart-1 and 1 more pod::The key is weak'])
})
