import {expect, test} from '@jest/globals'
import {RunError} from '../../../src/lib/domain/failure.ts'
import type {SecretDiffItem} from '../../../src/lib/domain/report.ts'
import {parseOutputFormat, parseSortBy} from '../../../src/lib/report/output-format.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {demoItems, diffItem, leafRow, pod, runOf} from './items.ts'
import {renderText} from './render-text.ts'

function refusal(read: () => unknown): RunError {
  try {
    read()
  } catch (error) {
    if (error instanceof RunError) return error
    throw error
  }
  throw new Error('Nothing was refused')
}

test.each(['table', 'wide', 'json', 'yaml', 'ndjson', 'name'])('%s is a format', (output) => {
  expect(parseOutputFormat(output)).toEqual({type: output})
})

test.each(['', 'xml', 'JSON', 'jsonpath', 'jsonpath=', 'custom-columns=', 'constructor'])(
  '%j is refused with the list of formats',
  (output) => {
    const {exit, message} = refusal(() => parseOutputFormat(output))

    expect(exit).toBe(2)
    expect(message).toBe(
      'Bad value for --output: expected one of table, wide, json, yaml, ndjson, name, jsonpath=TEMPLATE, ' +
        `custom-columns=NAME:.path,…, got ${JSON.stringify(output)}`,
    )
  },
)

test.each([
  ['jsonpath={.a', 'Cannot read the jsonpath template "{.a": } is missing at its end'],
  ['custom-columns=POD', 'Cannot read the custom columns "POD": expected NAME:.path, got "POD"'],
  ['custom-columns=POD:.pod,', 'Cannot read the custom columns "POD:.pod,": expected NAME:.path, got ""'],
  ['custom-columns=POD:.pod[', 'Cannot read the custom columns "POD:.pod["'],
])('%s is refused with what is wrong', (output, problem) => {
  const {exit, message} = refusal(() => parseOutputFormat(output))

  expect(exit).toBe(2)
  expect(message).toContain(problem)
})

test('a path to sort by that names nothing is refused', () => {
  expect(refusal(() => parseSortBy('.')).message).toBe('Cannot read the path for --sort-by ".": it names no field')
  expect(refusal(() => parseSortBy('{.a')).exit).toBe(2)
})

test('custom columns take a line for each row, with the fields of its pod', async () => {
  const output = 'custom-columns=NS:.namespace,POD:.pod,SECRET:.resource_name,SERIAL:.serial_number,WHY:{.skipped.code}'

  const {text} = await renderText(output, secretDiffView, runOf(demoItems()))

  expect(text).toMatchInlineSnapshot(`
"NS    POD     SECRET   SERIAL                            WHY
shop  cart-1  default  5c1d7e90a2b34455667788990a1b2c3d  <none>
shop  cart-1  ROOTCA   32000000                          <none>
shop  cart-2  default  5c1d7e90a2b34455667788990a1b2c3d  <none>
shop  cart-2  default  1f40                              <none>
shop  cart-2  ROOTCA   32000000                          <none>
shop  cart-3  <none>   <none>                            <none>
shop  cart-4  <none>   <none>                            evicted
"
`)
})

test('custom columns read filters with commas, and print lists and objects as JSON', async () => {
  const output = `custom-columns=SANS:.sans,KEY:.key,FIRST:.failures[?(@.code=="a,b")].code,TWO:['pod','namespace']`

  const {text} = await renderText(output, secretDiffView, runOf([diffItem('cart-1', [leafRow()])]))

  expect(text).toMatchInlineSnapshot(`
"SANS                                            KEY                                       FIRST   TWO
["URI:spiffe://cluster.local/ns/shop/sa/cart"]  {"type":"EC","size":256,"curve":"P-256"}  <none>  cart-1,shop
"
`)
})

test('custom columns go without a head and in another order', async () => {
  const {text} = await renderText('custom-columns=POD:.pod,LEFT:.seconds_left', secretDiffView, runOf(demoItems()), {
    headers: false,
    sortBy: parseSortBy('.seconds_left'),
  })

  expect(text).toMatchInlineSnapshot(`
"cart-2  -7200
cart-1  64800
cart-2  64800
cart-1  270734400
cart-2  270734400
cart-3  <none>
cart-4  <none>
"
`)
})

test('custom columns of an empty selection print nothing', async () => {
  const {text, notes} = await renderText('custom-columns=POD:.pod', secretDiffView, runOf<SecretDiffItem>([]))

  expect(text).toBe('')
  expect(notes).toEqual(['No pods with an agent found'])
})

test('names are what a TARGET reads in any namespace, dots and all', async () => {
  const items = [
    diffItem('cart-1', []),
    diffItem('web.v2', [leafRow()], {pod: pod('web.v2', {namespace: 'front'})}),
    diffItem('x', [], {pod: pod('bad\nname\u{1b}[2J')}),
  ]

  const {text} = await renderText('name', secretDiffView, runOf(items))

  expect(text).toBe('pod/cart-1.shop\npod/web.v2.front\npod/bad\\nname\\u001b[2J.shop\n')
})
