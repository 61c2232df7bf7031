import {expect, test} from '@jest/globals'
import type {Finding} from '../../../src/lib/domain/finding.ts'
import type {CheckItem, ReportEvent} from '../../../src/lib/domain/report.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {parseSortBy} from '../../../src/lib/report/output-format.ts'
import {renderTable} from '../../../src/lib/report/renderers/table.ts'
import type {RenderStyle} from '../../../src/lib/report/style.ts'
import {checkReportView} from '../../../src/lib/report/views/check-report.ts'
import {pod} from '../../support/pods.ts'
import {checkItem, STYLE} from './items.ts'

const STALE: Finding = {rule: 'proxy-stale', severity: 'fail', message: 'proxy is stale', subject: 'secret default'}
const SKEW: Finding = {rule: 'clock-skew', severity: 'warn', message: 'the clock is off', subject: 'clock'}

function of(owner: string, name: string): Pod {
  const hash = '5d8f7c9b6'
  return {
    ...pod(name),
    labels: {'pod-template-hash': hash},
    owners: [{kind: 'ReplicaSet', name: `${owner}-${hash}`, uid: owner}],
  }
}

function item(one: Pod, findings: readonly Finding[]): CheckItem {
  const isBad = findings.some(({severity, accepted}) => severity === 'fail' && accepted === undefined)
  return checkItem(one.name, {pod: one, verdict: isBad ? 'fail' : findings.length > 0 ? 'warn' : 'pass', findings})
}

async function table(
  items: readonly CheckItem[],
  {wide = false, ...style}: Partial<RenderStyle> & {readonly wide?: boolean} = {},
): Promise<{readonly rows: readonly string[]; readonly notes: readonly string[]}> {
  const notes: string[] = []
  async function* events(): AsyncGenerator<ReportEvent<CheckItem>> {
    for (const one of items) yield {type: 'item', item: one}
  }
  const text = await Array.fromAsync(
    renderTable(checkReportView([]), events(), {...STYLE, ...style, wide}, (note) => void notes.push(note)),
  )
  return {
    rows: text
      .join('')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.replaceAll(/ {2,}/g, '  ').trim()),
    notes,
  }
}

function many(count: number, owner: string, finding: Finding): readonly CheckItem[] {
  return Array.from({length: count}, (_, index) => item(of(owner, `${owner}-${index}`), [finding]))
}

test('the same finding on more than ten pods of one owner is one line with a count', async () => {
  const {rows} = await table([...many(11, 'cart', STALE), ...many(10, 'web', STALE)])

  expect(rows[0]).toBe('deploy/cart: 11 pods  fail  proxy-stale  cart-0: proxy is stale')
  expect(rows.slice(1)).toEqual(
    Array.from({length: 10}, (_, index) => `web-${index}  fail  proxy-stale  proxy is stale`),
  )
})

test('what is accepted, milder, or about something else is told apart', async () => {
  const accepted = {...STALE, accepted: {reason: 'known', until: '2026-12-31'}}
  const {rows} = await table([...many(11, 'cart', STALE), ...many(11, 'cart', accepted), ...many(11, 'cart', SKEW)], {
    show: 'all',
  })

  expect(rows.map((row) => row.split('  ')[1])).toEqual(['fail', 'warn', 'accepted'])
})

test('the worst stands first, whatever pod it is of', async () => {
  const {rows} = await table([item(of('a', 'a-1'), [SKEW, STALE]), item(of('b', 'b-1'), [STALE])])

  expect(rows.map((row) => row.split('  ').slice(0, 3).join(' '))).toEqual([
    'a-1 fail proxy-stale',
    'b-1 fail proxy-stale',
    'a-1 warn clock-skew',
  ])
})

test('pods that are well are counted, and shown where all is asked for', async () => {
  const items = [item(of('a', 'a-1'), []), ...many(1, 'b', STALE)]

  const auto = await table(items)
  const all = await table(items, {show: 'all'})

  expect([auto.rows.length, auto.notes]).toEqual([
    1,
    ['Not shown: 1 row without a problem, of 1 pod; --show all shows them'],
  ])
  expect(all.rows).toEqual(['b-0  fail  proxy-stale  proxy is stale', 'a-1  pass  -  -'])
})

test('wide, and whoever sorts, gets each line', async () => {
  const wide = await table(many(11, 'cart', STALE), {wide: true})
  const sorted = await table(many(11, 'cart', STALE), {sortBy: parseSortBy('{.pod}')})

  expect([wide.rows.length, sorted.rows.length]).toEqual([11, 11])
})
