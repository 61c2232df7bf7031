import {expect, test} from '@jest/globals'
import {
  parseChoice,
  parseCount,
  parseDuration,
  parseInstant,
  parsePattern,
  parseShare,
} from '../../../src/lib/cli/flags/values.ts'

const USAGE = expect.objectContaining({exit: 2, code: 'bad-flag'}) as unknown as Error

test.each([
  ['0', 0],
  ['500ms', 500],
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
])('the duration %s is %i ms', (text, ms) => {
  expect(parseDuration(text, 'deadline')).toBe(ms)
})

test.each(['', '10', '-1s', '1s ', 's', '1x', '1s1', 'ten'])('%j is no duration', (text) => {
  expect(() => parseDuration(text, 'deadline')).toThrow(USAGE)
})

test('a count is whole and not under its least', () => {
  expect(parseCount('32', 'concurrency', 1)).toBe(32)
  for (const text of ['0', '-1', '1.5', '', '1e3', '99999999999999999999']) {
    expect(() => parseCount(text, 'concurrency', 1)).toThrow(USAGE)
  }
})

test('a share is a number of pods or a percentage', () => {
  expect(parseShare('5', 'max-unknown')).toEqual({count: 5})
  expect(parseShare('2.5%', 'max-unknown')).toEqual({percent: 2.5})
  for (const text of ['101%', '%', '-1', 'x']) expect(() => parseShare(text, 'max-unknown')).toThrow(USAGE)
})

test('a time is RFC 3339 with an offset, and no other form', () => {
  expect(parseInstant('2026-06-01T12:00:00Z', 'now')).toBe(Date.UTC(2026, 5, 1, 12))
  expect(parseInstant('2026-06-01T14:00:00+02:00', 'now')).toBe(Date.UTC(2026, 5, 1, 12))
  for (const text of ['2026-06-01', 'now', '2026-13-01T00:00:00Z', '1748779200']) {
    expect(() => parseInstant(text, 'now')).toThrow(USAGE)
  }
})

test('a pattern that is none, and a choice that is none, say what is expected', () => {
  expect(() => parsePattern('(', 'match')).toThrow(USAGE)
  expect(() => parseChoice('bad', 'via', ['auto', 'exec'])).toThrow('expected one of auto, exec, got "bad"')
})
