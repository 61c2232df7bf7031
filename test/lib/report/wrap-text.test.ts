import {expect, test} from '@jest/globals'
import stringWidth from 'string-width'
import {wrapText} from '../../../src/lib/report/table/wrap-text.ts'

test.each([
  ['fits', 10, ['fits']],
  ['', 10, ['']],
  ['one two three', 8, ['one two', 'three']],
  ['spiffe://mesh/ns/shop/sa/cart', 12, ['spiffe://', 'mesh/ns/', 'shop/sa/cart']],
  ['serverAuth,clientAuth', 12, ['serverAuth,', 'clientAuth']],
  ['0123456789abcdef', 10, ['0123456789', 'abcdef']],
  ['ends with blanks   ', 9, ['ends with', 'blanks']],
  ['注文書', 4, ['注文', '書']],
])('%j in %i columns', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines)
})

test('nothing is wider than the terminal, and no letter is lost, at any width', () => {
  const text = 'URI:spiffe://cluster.local/ns/магазин/sa/корзина, 👩‍👩‍👧‍👦 e\u0301te\u0301'
  for (let width = 2; width < 60; width += 1) {
    const lines = wrapText(text, width)

    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  }
})
