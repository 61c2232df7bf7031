import {expect, test} from '@jest/globals'
import {readJson} from '../../../../src/lib/decode/json/read-json.ts'
import {partOf, readFixture} from '../answers.ts'

async function read(text: string, chunkBytes: number): Promise<unknown> {
  return (await readJson({name: 'answer', part: partOf(text, {chunkBytes})})).value
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

test.each([
  '{}',
  '[[]]',
  '{"a":[1,-2.5e3,true,false,null,"x"],"b":{"c":{}},"a2":"\\u00e9\\ud83d\\ude00\\n\\"\\\\"}',
  '[{"größe":"снабжение 😀"}]',
  readFixture('odd-secret-names/config_dump.json').toString(),
])('document %# is read as JSON.parse reads it, in pieces of any size', async (text) => {
  const expected: unknown = JSON.parse(text)

  for (const chunkBytes of [1, 7, 100_000]) expect(plain(await read(text, chunkBytes))).toEqual(expected)
})

test('integers that a number cannot hold come as their digits', async () => {
  const numbers = '9007199254740991,9007199254740993,-122442119263928524481962186225181469757,1e400'

  const value = await read(`[[${numbers}]]`, 3)

  expect(value).toEqual([
    [9_007_199_254_740_991, '9007199254740993', '-122442119263928524481962186225181469757', Infinity],
  ])
})

test.each([
  '{"a" 1}',
  '{"a":1,}',
  '[1,]',
  '[1 2]',
  '{1:2}',
  '{"a":}',
  '[}',
  '{"a":1]',
  ']',
  '[tru]',
  '["\\x"]',
  '["a\nb"]',
])('%j is no JSON', async (text) => {
  await expect(read(`{"root":${text}}`, 2)).rejects.toMatchObject({failure: {code: 'bad-payload'}})
})
