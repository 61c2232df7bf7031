import {expect, test} from '@jest/globals'
import {countOf, countText} from '../../../src/lib/domain/count-text.ts'

test.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890])('writes %d as English does', (count) => {
  expect(countText(count)).toBe(count.toLocaleString('en-US'))
})

test('only one of them is singular', () => {
  const counts = [0, 1, 2, 2000].map((count) => countOf(count, 'more pod'))

  expect(counts).toEqual(['0 more pods', '1 more pod', '2 more pods', '2,000 more pods'])
})
