import {expect, test} from '@jest/globals'
import type {ReportEvent, SecretDiffItem} from '../../../src/lib/domain/report.ts'
import {JsonPathSyntaxError} from '../../../src/lib/report/jsonpath/scanner.ts'
import {expandTemplate, parseTemplate} from '../../../src/lib/report/jsonpath/template.ts'
import {parseOutputFormat} from '../../../src/lib/report/output-format.ts'
import {render} from '../../../src/lib/report/render.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {demoItems, diffItem, leafRow, runOf, STYLE} from './items.ts'
import {renderText} from './render-text.ts'

const DOCUMENT = {
  kind: 'List',
  items: [
    {pod: 'cart-1', verdict: 'pass', left: 10, ok: true, labels: {'app.kubernetes.io/name': 'cart', 'a-b': 'dash'}},
    {pod: 'cart-2', verdict: 'fail', left: -3, ok: false, skipped: {code: 'gone'}, tags: ['x', 'y', 'z']},
    {pod: "o'neil)]", verdict: 'fail', left: 7, empty: ''},
  ],
  summary: {pods: 3},
}

test.each([
  ['{.kind}', 'List'],
  ['{$.kind}', 'List'],
  ['.kind', 'List'],
  ['kind', 'List'],
  ['.items[0].pod', 'cart-1'],
  ['{.items[0].pod}', 'cart-1'],
  ['{.items[-1].verdict}', 'fail'],
  ['{.items[7].pod}', ''],
  ['{.items[-7].pod}', ''],
  ['{.items[*].pod}', "cart-1 cart-2 o'neil)]"],
  ['{.items[*].pod}{"\\n"}', "cart-1 cart-2 o'neil)]\n"],
  ['{.items[0:2].pod}', 'cart-1 cart-2'],
  ['{.items[::2].left}', '10 7'],
  ['{.items[-2:].left}', '-3 7'],
  ['{.items[0,2].left}', '10 7'],
  ["{.items[0]['pod','verdict']}", 'cart-1 pass'],
  ['{.items[0]["pod"]}', 'cart-1'],
  ["{.items[0].labels['app.kubernetes.io/name']}", 'cart'],
  ['{.items[0].labels.app\\.kubernetes\\.io/name}', 'cart'],
  ['{.items[0].labels.a-b}', 'dash'],
  ['{.items[0].labels.*}', 'cart dash'],
  ['{..code}', 'gone'],
  ['{.items[?(@.verdict=="fail")].left}', '-3 7'],
  ["{.items[?(@.verdict != 'fail')].pod}", 'cart-1'],
  ['{.items[?(@.left<0)].pod}', 'cart-2'],
  ['{.items[?(@.left>=7)].left}', '10 7'],
  ['{.items[?(@.ok==true)].pod}', 'cart-1'],
  ['{.items[?(@.skipped)].pod}', 'cart-2'],
  ['{.items[?(@.skipped.code=="gone")].pod}', 'cart-2'],
  ['{.items[?(@.skipped.code!="gone")].pod}', ''],
  ['{.items[?(@.pod=="o\'neil)]")].left}', '7'],
  ['{.items[1].tags}', '["x","y","z"]'],
  ['{.summary}', '{"pods":3}'],
  ['{.items[0].ok}', 'true'],
  ['{.no.such.thing}', ''],
  ['{.constructor.name}', ''],
  ['{.items[0].__proto__}', ''],
  ['pods: {.summary.pods}!', 'pods: 3!'],
  ['{\'a\\\'b\'}{"\\t\\""}', 'a\'b\t"'],
  ['{range .items[*]}{.pod}={.left};{end}', "cart-1=10;cart-2=-3;o'neil)]=7;"],
  ['{range .items[?(@.tags)]}{.pod}:{range .tags[*]}{@}{","}{end}{end}', 'cart-2:x,y,z,'],
  ['{range .items[*]}{.left}/{$.summary.pods} {end}', '10/3 -3/3 7/3 '],
])('%s gives %j', (template, text) => {
  expect(expandTemplate(parseTemplate(template), DOCUMENT, DOCUMENT)).toBe(text)
})

test.each([
  ['{.items[0}', '] expected at character 10'],
  ['{.items', '} is missing at its end'],
  ['{range .items[*]}{.pod}', '{end} is missing at its end'],
  ['{.pod}{end}', '{end} without {range} before'],
  ['{.items[?(@.a=="x")}', '] expected'],
  ['{.items[?(@.a=="x" && @.b=="y")]}', 'one comparison a filter, no && or ||'],
  ['{.items[?(@.a=="x]}', 'a closing quote is missing'],
  ['{.items[x]}', 'a number, a quoted name or * expected'],
  ['{.items[::-1]}', 'a stride above 0 expected'],
  ['{.a|.b}', 'a name expected at character 4'],
  ['{}', 'it is empty'],
])('%s is refused: %s', (template, problem) => {
  expect(() => parseTemplate(template)).toThrow(JsonPathSyntaxError)
  expect(() => parseTemplate(template)).toThrow(problem)
})

test('a template sees the whole document', async () => {
  const {text} = await renderText(
    'jsonpath={.kind} of {.summary.pods}: {range .items[*]}{.pod} {.verdict}{"\\n"}{end}{.fleet.complete}',
    secretDiffView,
    runOf(demoItems()),
  )

  expect(text).toBe('SecretDiffList of 4: cart-1 pass\ncart-2 fail\ncart-3 unknown\ncart-4 skipped\ntrue')
})

test.each([
  ['{.kind}: {.items[*].secrets[*].result} {.summary.pods}', 'SecretDiffList: MATCH MATCH MISMATCH MISMATCH MATCH 4'],
  ['{.kind}: {.items[?(@.verdict=="skipped")].skipped.code}', 'SecretDiffList: evicted'],
  ['{.kind}: {.items[?(@.verdict=="warn")].pod} {.page.consistent}', 'SecretDiffList:  true'],
  ['{range .items[*]}{.pod}{" "}{end}{.items[0].pod}', 'cart-1 cart-2 cart-3 cart-4 cart-1'],
  ['{range .items[*]}{.pod}/{$.summary.pods} {end}', 'cart-1/4 cart-2/4 cart-3/4 cart-4/4 '],
])('%s is the same whether items are let go or held', async (template, expected) => {
  const {text} = await renderText(`jsonpath=${template}`, secretDiffView, runOf(demoItems()))

  expect(text).toBe(expected)
})

test('text before the items stands there where there are none', async () => {
  const {text} = await renderText('jsonpath={.kind}: {.items[*].pod}', secretDiffView, runOf<SecretDiffItem>([]))

  expect(text).toBe('SecretDiffList: ')
})

test('items that are gone through once are written as they come', async () => {
  let asked = 0
  async function* endless(): AsyncGenerator<ReportEvent<SecretDiffItem>> {
    for (;;) {
      asked += 1
      yield {type: 'item', item: diffItem(`cart-${asked}`, [leafRow()])}
    }
  }
  const format = parseOutputFormat('jsonpath={range .items[*]}{.pod}{"\\n"}{end}{.summary.pods}')

  let text = ''
  for await (const piece of render(format, secretDiffView, endless(), STYLE, () => {})) {
    text += piece
    if (text.includes('cart-3')) break
  }

  expect(asked).toBe(3)
})
