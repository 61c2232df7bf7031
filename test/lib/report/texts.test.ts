import {expect, test} from '@jest/globals'
import {cutText} from '../../../src/lib/report/table/cut-text.ts'
import {durationText, rfc3339} from '../../../src/lib/report/time-text.ts'

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m'],
  [3599, '59m'],
  [64_800, '18h'],
  [47 * 3600 + 3599, '47h'],
  [48 * 3600, '2d'],
  [729 * 86_400, '729d'],
  [730 * 86_400, '2y'],
  [-1, '-1s'],
  [-7200, '-2h'],
  [-3 * 86_400, '-3d'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test.each([
  [Date.parse('2026-06-01T12:00:00Z'), '2026-06-01T12:00:00Z'],
  [Date.parse('2026-06-01T12:00:00.250Z'), '2026-06-01T12:00:00.250Z'],
  [Date.parse('1960-01-01T00:00:00Z'), '1960-01-01T00:00:00Z'],
  [Date.parse('9999-12-31T23:59:59Z'), '9999-12-31T23:59:59Z'],
  [1e300, '9999-12-31T23:59:59Z'],
  [Number.NEGATIVE_INFINITY, '0000-01-01T00:00:00Z'],
])('%d ms since 1970 are %s', (ms, text) => {
  expect(rfc3339(ms)).toBe(text)
})

test.each([
  ['short', 8, 'end', 'short'],
  ['exactly8', 8, 'end', 'exactly8'],
  ['too long for it', 8, 'end', 'too lon…'],
  ['too long for it', 8, 'middle', 'too … it'],
  ['証明書証明書', 6, 'end', '証明…'],
  ['👍🏽👍🏽👍🏽', 5, 'end', '👍🏽👍🏽…'],
] as const)('%s in %d characters, cut at its %s, is %s', (text, width, where, cut) => {
  expect(cutText(text, width, where)).toBe(cut)
})
