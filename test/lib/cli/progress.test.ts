import {expect, jest, test} from '@jest/globals'
import {Writable} from 'node:stream'
import type {Io} from '../../../src/lib/cli/io.ts'
import {behindProgress, Progress, wantsProgress} from '../../../src/lib/cli/progress.ts'
import type {PodItem, Verdict} from '../../../src/lib/domain/report.ts'
import {pod} from '../../support/pods.ts'

const SIDE = {state: 'read', answers: []} as const

function item(verdict: Verdict): PodItem {
  return {pod: pod('a'), verdict, sides: {agent: SIDE, proxy: SIDE}, failures: [], incomplete: false, findings: []}
}

/** A terminal whose screen is one line, and a clock that jest moves. */
function terminal(over: Partial<Io> = {}): {readonly io: Io; readonly written: string[]} {
  const written: string[] = []
  const io = {
    stderr: {
      write: (text: string) => {
        written.push(text)
        return true
      },
    },
    stdout: new Writable(),
    isStderrTerminal: true,
    isStdoutTerminal: false,
    env: {TERM: 'xterm'},
    nowMs: () => Date.now(),
    ...over,
  } as unknown as Io
  return {io, written}
}

/** What the line shows after all that was written. */
function shown(written: readonly string[]): string {
  return written.join('').split('\r\u001B[2K').at(-1) ?? ''
}

test('the line tells how many of how many, how fast, how long still, and what is wrong', () => {
  jest.useFakeTimers({now: 0})
  const {io, written} = terminal()
  using progress = new Progress(io)
  progress.listed(500, 100, 500)

  for (let index = 0; index < 40; index += 1) progress.looked(item(index < 3 ? 'fail' : index < 5 ? 'unknown' : 'pass'))
  jest.advanceTimersByTime(2000)

  expect(shown(written)).toBe('40 of 200 pods, 20/s, 8s left, 3 fail, 2 unknown')
  jest.useRealTimers()
})

test('a run that is over within a second shows nothing', () => {
  jest.useFakeTimers({now: 0})
  const {io, written} = terminal()
  const progress = new Progress(io)
  progress.looked(item('pass'))

  jest.advanceTimersByTime(900)
  progress.ended()
  jest.advanceTimersByTime(5000)

  expect(written).toEqual([])
  jest.useRealTimers()
})

test('where the server does not say how many follow, no total is made up', () => {
  jest.useFakeTimers({now: 0})
  const {io, written} = terminal()
  using progress = new Progress(io)
  progress.listed(500, 500, undefined)

  progress.looked(item('pass'))
  jest.advanceTimersByTime(2000)

  expect(shown(written)).toBe('1 pod, 0.5/s')
  jest.useRealTimers()
})

test('the line is taken away before anything else is written, and at the end', () => {
  jest.useFakeTimers({now: 0})
  const {io, written} = terminal()
  const progress = new Progress(io)
  jest.advanceTimersByTime(2000)

  behindProgress(io, progress).stderr.write('Warning: x\n')
  const afterWarning = shown(written)
  jest.advanceTimersByTime(500)
  progress.ended()

  expect([afterWarning, shown(written)]).toEqual(['Warning: x\n', ''])
  jest.useRealTimers()
})

test.each<[string, Partial<Io>, boolean, boolean, boolean]>([
  ['a terminal', {}, true, false, true],
  ['a terminal beside a pipe that JSON goes to', {}, false, false, true],
  ['a terminal that the answer streams to as well', {isStdoutTerminal: true}, false, false, false],
  ['a terminal that the table comes to at the end', {isStdoutTerminal: true}, true, false, true],
  ['a pipe', {isStderrTerminal: false}, true, false, false],
  ['CI', {env: {CI: 'true'}}, true, false, false],
  ['a terminal that can do nothing', {env: {TERM: 'dumb'}}, true, false, false],
  ['somebody who wants it quiet', {}, true, true, false],
])('on %s the line is shown or not', (_, over, isAnswerLast, quiet, expected) => {
  expect(wantsProgress(terminal(over).io, isAnswerLast, quiet)).toBe(expected)
})
