import {expect, test} from '@jest/globals'
import {FailureNotes} from '../../../src/lib/cli/failure-notes.ts'
import type {Failure} from '../../../src/lib/domain/failure.ts'
import type {PodItem} from '../../../src/lib/domain/report.ts'
import {pod} from '../../support/pods.ts'

const SIDE = {state: 'failed', answers: []} as const

function item(name: string, ...failures: readonly Failure[]): PodItem {
  return {
    pod: pod(name),
    verdict: 'unknown',
    sides: {agent: SIDE, proxy: SIDE},
    failures,
    incomplete: true,
    findings: [],
  }
}

function closed(name: string, port = 15000, hint: string | undefined = 'Wait for it'): Failure {
  const message = `Cannot reach port ${port} of shop/${name}: connection refused`
  return {stage: 'dial', code: 'port-closed', message, ...(hint !== undefined && {hint})}
}

function linesOf(...items: readonly PodItem[]): readonly string[] {
  const notes = new FailureNotes('Warning')
  for (const one of items) notes.take(one)
  return notes.lines()
}

test('a failure is told with its hint', () => {
  expect(linesOf(item('a', closed('a')))).toEqual([
    'Warning: Cannot reach port 15000 of shop/a: connection refused',
    'Hint: Wait for it',
  ])
})

test('what many pods say of themselves is told once, with how many they are', () => {
  expect(linesOf(item('a', closed('a')), item('b', closed('b')), item('c', closed('c')))).toEqual([
    'Warning: Cannot reach port 15000 of shop/a: connection refused (and so 2 more pods)',
    'Hint: Wait for it',
  ])
})

test('what two sources of one pod met alike counts once', () => {
  expect(linesOf(item('a', closed('a'), closed('a')), item('b', closed('b')))[0]).toMatch(/and so 1 more pod\)$/)
})

test('a hint that several failures share is told once, and a failure may have none', () => {
  expect(linesOf(item('a', closed('a', 1), closed('a', 2), closed('a', 3, undefined)))).toEqual([
    'Warning: Cannot reach port 1 of shop/a: connection refused',
    'Hint: Wait for it',
    'Warning: Cannot reach port 2 of shop/a: connection refused',
    'Warning: Cannot reach port 3 of shop/a: connection refused',
  ])
})

test('past five texts the rest is counted, however many there are', () => {
  const items = Array.from({length: 1000}, (_, port) => item('a', closed('a', port, `Try ${port}`)))

  const lines = linesOf(...items)

  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toBe('Warning: 995 more failures: -o json shows them with their pods')
})

test('nothing is told of pods without a failure', () => {
  expect(linesOf(item('a'))).toEqual([])
})
