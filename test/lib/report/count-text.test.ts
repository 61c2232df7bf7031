import {expect, test} from '@jest/globals'
import {countText} from '../../../src/lib/report/count-text.ts'

test.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890])('writes %d as English does', (count) => {
  expect(countText(count)).toBe(count.toLocaleString('en-US'))
})
