import {expect, test} from '@jest/globals'
import type {PodItem, SecretDiffItem} from '../../../src/lib/domain/report.ts'
import {summarise} from '../../../src/lib/report/summary.ts'
import type {View} from '../../../src/lib/report/view.ts'
import {agentListView} from '../../../src/lib/report/views/agent-list.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {secretListView} from '../../../src/lib/report/views/secret-list.ts'
import {
  container,
  diffItem,
  leaf,
  leafRow,
  listItem,
  listRow,
  NOW_MS,
  pod,
  podItem,
  rootRow,
  runOf,
  staleRows,
} from './items.ts'

function lineOf<Item extends PodItem>(view: View<Item>, items: readonly Item[]): string {
  const summary = summarise(view)
  for (const event of runOf(items)) summary.take(event)
  return summary.line()
}

function many(count: number, item: SecretDiffItem): readonly SecretDiffItem[] {
  return Array.from({length: count}, () => item)
}

test('pods are counted by outcome, and matches by what proves each', () => {
  const items = [
    ...many(1990, diffItem('a', [leafRow({comparedBy: 'expiry'}), rootRow()])),
    ...many(1, diffItem('b', [leafRow(), rootRow()])),
    ...many(4, diffItem('c', staleRows(), {verdict: 'fail'})),
    ...many(2, diffItem('d', [], {verdict: 'unknown', incomplete: true})),
    ...many(3, diffItem('e', [], {verdict: 'skipped'})),
  ]

  expect(lineOf(secretDiffView, items)).toBe(
    '2,000 pods: 1,991 match (1,990 by expiry, 1 by fingerprint), 4 mismatch, 2 unknown, 3 skipped',
  )
})

test('a pod matches by what proves least of its own certificates, not by its roots', () => {
  const items = [
    diffItem('a', [leafRow(), leafRow({name: 'edge', comparedBy: 'expiry'}), rootRow()]),
    diffItem('b', [rootRow()]),
  ]

  expect(lineOf(secretDiffView, items)).toBe('2 pods: 2 match (1 by expiry, 1 by published)')
})

test('a certificate that both sides hold and that is over is no match', () => {
  const over = leafRow({}, leaf({notAfterMs: NOW_MS - 1000}))

  expect(lineOf(secretDiffView, [diffItem('a', [over], {verdict: 'fail'})])).toBe('1 pod: 0 match, 1 not valid')
})

test('a pod of which nothing could be compared by design is told apart', () => {
  const row = leafRow({result: 'NOT_COMPARABLE', reason: 'no source', comparedBy: 'none'})

  expect(lineOf(secretDiffView, [diffItem('a', [row])])).toBe('1 pod: 0 match, 1 not compared')
})

test('rows are counted by what they were compared by', () => {
  const summary = summarise(secretDiffView)

  for (const event of runOf([diffItem('a', [leafRow(), rootRow()]), diffItem('b', staleRows(), {verdict: 'fail'})])) {
    summary.take(event)
  }

  expect(summary.wire()).toEqual({
    pods: 2,
    pass: 1,
    warn: 0,
    fail: 1,
    unknown: 0,
    skipped: 0,
    compared: {fingerprint: 3, serial: 0, expiry: 0, published: 1, presence: 0, none: 0},
  })
})

test('agents are ready or not', () => {
  const items = [
    podItem('a'),
    podItem('b', {pod: pod('b', {containers: [container({ready: false})]})}),
    podItem('c', {verdict: 'skipped'}),
  ]

  expect(lineOf(agentListView, items)).toBe('3 pods: 1 ready, 1 not ready, 1 skipped')
})

test('secrets are read, or hold a certificate that is not valid', () => {
  const over = listRow({}, leaf({notAfterMs: NOW_MS - 1000}))

  expect(lineOf(secretListView, [listItem('a', [listRow()]), listItem('b', [over])])).toBe(
    '2 pods: 1 read, 1 not valid',
  )
})
