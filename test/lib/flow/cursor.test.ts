import {expect, test} from '@jest/globals'
import {decodeCursor, encodeCursor, fingerprintQuery} from '../../../src/lib/flow/cursor.ts'

const PLACE = {context: 1, query: 2, token: 'server-token', after: {namespace: 'shop', name: 'cart-1'}}

test('a cursor gives back its place', () => {
  const query = fingerprintQuery({namespaces: ['shop']})

  expect(decodeCursor(encodeCursor(PLACE, query), query)).toEqual(PLACE)
})

test('a cursor of another query is a usage error', () => {
  const cursor = encodeCursor(PLACE, fingerprintQuery({namespaces: ['shop']}))

  expect(() => decodeCursor(cursor, fingerprintQuery({namespaces: ['bank']}))).toThrow(
    expect.objectContaining({exit: 2, code: 'cursor-of-another-query'}),
  )
})

test.each([
  '',
  'nonsense',
  Buffer.from('{}').toString('base64url'),
  Buffer.from('{"v":1,"q":"q","p":{"context":-1,"query":0}}').toString('base64url'),
])('text that is no cursor is a usage error: %j', (text) => {
  expect(() => decodeCursor(text, 'q')).toThrow(expect.objectContaining({exit: 2, code: 'bad-cursor'}))
})

test('a query is the same whatever the order of its keys, and another with another pattern', () => {
  expect(fingerprintQuery({a: 1, b: /x/})).toBe(fingerprintQuery({b: /x/, a: 1}))
  expect(fingerprintQuery({a: 1, b: /x/})).not.toBe(fingerprintQuery({a: 1, b: /y/}))
})
