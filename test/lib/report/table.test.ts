import {stripVTControlCharacters} from 'node:util'
import {expect, test} from '@jest/globals'
import stringWidth from 'string-width'
import type {SecretDiffItem} from '../../../src/lib/domain/report.ts'
import {parseSortBy} from '../../../src/lib/report/output-format.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {demoItems, diffItem, leaf, leafRow, NOW_MS, pod, REFUSED, root, rootRow, runOf, staleRows} from './items.ts'
import {renderText} from './render-text.ts'

const ESC = '\u{1b}'

function fineItems(count: number): readonly SecretDiffItem[] {
  return Array.from({length: count}, (_, index) => diffItem(`cart-${index}`, [leafRow(), rootRow()]))
}

function firstCells(text: string): readonly string[] {
  return text.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2).join(' '))
}

test('a pipe gets every column, worst pod first, and the failure of a pod without rows', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf(demoItems()))

  expect(text).toMatchInlineSnapshot(`
"POD     RESOURCE NAME  TYPE        VALID CERT       NODE AGENT  PROXY   RESULT                    LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
cart-2  default        Cert Chain  true             PRESENT     -       MISMATCH: proxy is stale  18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
cart-2  default        Cert Chain  false (EXPIRED)  -           ACTIVE  MISMATCH: proxy is stale  -2h   1f40                              2026-06-01T10:00:00Z  2026-05-31T09:58:00Z
cart-2  ROOTCA         CA          true             PRESENT     ACTIVE  MATCH                     8y    32000000                          2034-12-30T00:00:00Z  2025-01-01T00:00:00Z
cart-3  -              -           -                -           -       UNKNOWN: Cannot open port 15000 of shop/cart-3: forbidden for user ci
cart-1  default        Cert Chain  true             PRESENT     ACTIVE  MATCH                     18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
cart-1  ROOTCA         CA          true             PRESENT     ACTIVE  MATCH                     8y    32000000                          2034-12-30T00:00:00Z  2025-01-01T00:00:00Z
cart-4  -              -           -                -           -       SKIPPED: evicted: the node was low on memory
"
`)
  expect(notes).toEqual([])
})

test('a failure is shown whole where there is neither a head nor another row', async () => {
  const items = demoItems().filter(({pod}) => pod.name === 'cart-3')

  const {text} = await renderText('table', secretDiffView, runOf(items), {headers: false})

  expect(text).toBe('cart-3  -  -  -  -  -  UNKNOWN: Cannot open port 15000 of shop/cart-3: forbidden for user ci\n')
})

test('a terminal of 200 columns loses nothing', async () => {
  const pipe = await renderText('table', secretDiffView, runOf(demoItems()))

  const terminal = await renderText('table', secretDiffView, runOf(demoItems()), {width: 200})

  expect(terminal).toEqual(pipe)
})

test('a terminal of 120 columns loses the start, the serial and the type, and says so', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf(demoItems()), {width: 120})

  expect(text).toMatchInlineSnapshot(`
"POD     RESOURCE NAME  VALID CERT       NODE AGENT  PROXY   RESULT                    LEFT  NOT AFTER
cart-2  default        true             PRESENT     -       MISMATCH: proxy is stale  18h   2026-06-02T06:00:00Z
cart-2  default        false (EXPIRED)  -           ACTIVE  MISMATCH: proxy is stale  -2h   2026-06-01T10:00:00Z
cart-2  ROOTCA         true             PRESENT     ACTIVE  MATCH                     8y    2034-12-30T00:00:00Z
cart-3  UNKNOWN: Cannot open port 15000 of shop/cart-3: forbidden for user ci
cart-1  default        true             PRESENT     ACTIVE  MATCH                     18h   2026-06-02T06:00:00Z
cart-1  ROOTCA         true             PRESENT     ACTIVE  MATCH                     8y    2034-12-30T00:00:00Z
cart-4  -              -                -           -       SKIPPED: evicted: the node was low on memory
"
`)
  expect(notes).toEqual(['The terminal is too narrow for NOT BEFORE, SERIAL NUMBER, TYPE: see --output wide'])
})

test('a terminal of 80 columns wraps its heads and keeps each result whole', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf(demoItems()), {width: 80})

  expect(text).toMatchInlineSnapshot(`
"POD    RESOURCE VALID           NODE    PROXY  RESULT                   LEFT
       NAME     CERT            AGENT
cart-2 default  true            PRESENT -      MISMATCH: proxy is stale 18h
cart-2 default  false (EXPIRED) -       ACTIVE MISMATCH: proxy is stale -2h
cart-2 ROOTCA   true            PRESENT ACTIVE MATCH                    8y
cart-3 UNKNOWN: Cannot open port 15000 of shop/cart-3: forbidden for user ci
cart-1 default  true            PRESENT ACTIVE MATCH                    18h
cart-1 ROOTCA   true            PRESENT ACTIVE MATCH                    8y
cart-4 SKIPPED: evicted: the node was low on memory
"
`)
  expect(notes).toEqual([
    'The terminal is too narrow for NOT BEFORE, SERIAL NUMBER, TYPE, NOT AFTER: see --output wide',
  ])
})

test('a terminal that is nearly wide enough wraps its heads before it loses the end', async () => {
  const items = [diffItem('cart-1', [leafRow({result: 'PENDING', reason: 'until its next renewal'})])]

  const {text, notes} = await renderText('table', secretDiffView, runOf(items), {width: 105})

  expect(text).toMatchInlineSnapshot(`
"POD     RESOURCE  VALID  NODE     PROXY   RESULT                           LEFT  NOT
        NAME      CERT   AGENT                                                   AFTER
cart-1  default   true   PRESENT  ACTIVE  PENDING: until its next renewal  18h   2026-06-02T06:00:00Z
"
`)
  expect(notes).toEqual(['The terminal is too narrow for NOT BEFORE, SERIAL NUMBER, TYPE: see --output wide'])
})

test('long names are cut in their middle, and no line is longer than the terminal', async () => {
  const name = 'recommendation-service-canary-7d9f8b6c5d'
  const items = ['x2x9z', 'q8w7e'].map((end) => diffItem(`${name}-${end}`, staleRows(), {verdict: 'fail'}))

  const {text} = await renderText('table', secretDiffView, runOf(items), {width: 80})

  expect(text).toMatchInlineSnapshot(`
"POD                  RESOURCE VALID NODE    PROXY  RESULT                   LEFT
                     NAME     CERT  AGENT
recommenda…c5d-x2x9z default  true  PRESENT -      MISMATCH: proxy is stale 18h
recommenda…c5d-x2x9z default  false -       ACTIVE MISMATCH: proxy is stale -2h
recommenda…c5d-q8w7e default  true  PRESENT -      MISMATCH: proxy is stale 18h
recommenda…c5d-q8w7e default  false -       ACTIVE MISMATCH: proxy is stale -2h
"
`)
  expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80)
})

test('at 80 columns beside a namespace, names and reasons are cut, and the word of the result stays', async () => {
  const items = [
    diffItem('cart-5d8f7c9b6-9zt2w', staleRows(), {verdict: 'fail'}),
    diffItem('gateway-istio-58d4c6b7f-v9c3k', [
      leafRow({name: 'kubernetes://wildcard-cert', result: 'NOT_COMPARABLE', reason: 'no source'}),
    ]),
    diffItem('ztunnel-7hk4d', [leafRow({result: 'PROXY_WARMING', proxy: 'WARMING', reason: 'since 2026-06-01'})], {
      pod: pod('ztunnel-7hk4d', {namespace: 'istio-system'}),
    }),
    diffItem('fraud-5c6d8f4b9-wn6sd', [], {verdict: 'unknown', failures: [REFUSED]}),
  ]

  const {text} = await renderText('table', secretDiffView, runOf(items), {width: 80})

  expect(text).toMatchInlineSnapshot(`
"NAMESPACE    POD          RESOURCE     VALID NODE    PROXY   RESULT         LEFT
                          NAME         CERT  AGENT
shop         cart-5…9zt2w default      true  PRESENT -       MISMATCH       18h
shop         cart-5…9zt2w default      false -       ACTIVE  MISMATCH       -2h
istio-system ztunne…7hk4d default      true  PRESENT WARMING PROXY_WARMING  18h
shop         fraud-…wn6sd UNKNOWN: Cannot open port 15000 of shop/cart-3: forbi…
shop         gatewa…v9c3k kubern…-cert true  PRESENT ACTIVE  NOT_COMPARABLE 18h
"
`)
})

test.each([200, 120, 80, 60, 40, 20, 7, 2, 1])(
  'no line of a terminal of %i columns is longer than it',
  async (width) => {
    const names = ['証明書'.repeat(30), '👍🏽'.repeat(40), 'नमस्ते'.repeat(30), 'e\u{301}'.repeat(90), 'שם'.repeat(40), 'x']
    const items = [
      ...demoItems(),
      ...names.map((name) => diffItem(name, [leafRow({name, result: 'MISMATCH', reason: name})])),
      diffItem('cart-1', [leafRow()], {pod: pod('cart-1', {context: 'test', namespace: 'istio-system'})}),
    ]

    const {text} = await renderText('table', secretDiffView, runOf(items), {width})

    expect(text.split('\n').length).toBeGreaterThan(items.length)
    expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
  },
)

test('wide shows where it comes from, and is not cut to the terminal', async () => {
  const items = [diffItem('cart-1', [leafRow()])]

  const {text, notes} = await renderText('wide', secretDiffView, runOf(items), {width: 80})

  expect(text).toMatchInlineSnapshot(`
"POD     RESOURCE NAME  TYPE        VALID CERT  NODE AGENT  PROXY   RESULT  LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE            ISSUER           SPIFFE ID                               KEY       FINGERPRINT                                                       COMPARED BY  SOURCES
cart-1  default        Cert Chain  true        PRESENT     ACTIVE  MATCH   18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z  O=cluster.local  spiffe://cluster.local/ns/shop/sa/cart  EC P-256  77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd  fingerprint  agent-files, envoy-config-dump
"
`)
  expect(notes).toEqual([])
})

test('context and namespace are columns only where there is more than one', async () => {
  const items = [
    diffItem('cart-1', [leafRow()], {pod: pod('cart-1', {context: 'prod'})}),
    diffItem('cart-1', [leafRow()], {pod: pod('cart-1', {context: 'test', namespace: 'shop-2'})}),
  ]

  const {text} = await renderText('table', secretDiffView, runOf(items), {contexts: ['prod', 'test']})

  expect(text).toMatchInlineSnapshot(`
"CONTEXT  NAMESPACE  POD     RESOURCE NAME  TYPE        VALID CERT  NODE AGENT  PROXY   RESULT  LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
prod     shop       cart-1  default        Cert Chain  true        PRESENT     ACTIVE  MATCH   18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
test     shop-2     cart-1  default        Cert Chain  true        PRESENT     ACTIVE  MATCH   18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
"
`)
})

test('a bundle of more than five roots is one line with what is wrong in it', async () => {
  const expired = root({serial: '32000039', notAfterMs: Date.parse('2024-03-02T10:02:00Z')})
  const bundle = Array.from({length: 121}, (_, index) =>
    index === 57
      ? rootRow({besideValid: true}, expired)
      : rootRow({}, root({serial: (0x32000000 + index).toString(16)})),
  )
  const items = [diffItem('cart-1', [leafRow(), ...bundle], {verdict: 'warn'})]

  const folded = await renderText('table', secretDiffView, runOf(items))
  const wide = await renderText('wide', secretDiffView, runOf(items))

  expect(folded.text).toMatchInlineSnapshot(`
"POD     RESOURCE NAME  TYPE        VALID CERT  NODE AGENT  PROXY   RESULT                       LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
cart-1  ROOTCA         CA          true        PRESENT     ACTIVE  MATCH: 121 roots, 1 expired  8y    -                                 2034-12-30T00:00:00Z  -
cart-1  default        Cert Chain  true        PRESENT     ACTIVE  MATCH                        18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
"
`)
  expect(wide.text.split('\n')).toHaveLength(1 + 122 + 1)
})

test('five roots take five lines', async () => {
  const items = [
    diffItem(
      'cart-1',
      Array.from({length: 5}, () => rootRow()),
    ),
  ]

  const {text} = await renderText('table', secretDiffView, runOf(items), {headers: false})

  expect(text.split('\n')).toHaveLength(5 + 1)
})

test('100 pods are shown whole', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf(fineItems(100)))

  expect(text.split('\n')).toHaveLength(1 + 200 + 1)
  expect(notes).toEqual([])
})

test('of more than 100 pods only rows with a problem are shown, and the rest is counted', async () => {
  const items = [...fineItems(2000), diffItem('late', [...staleRows(), rootRow()], {verdict: 'fail'})]

  const {text, notes} = await renderText('table', secretDiffView, runOf(items))

  expect(text).toMatchInlineSnapshot(`
"POD   RESOURCE NAME  TYPE        VALID CERT       NODE AGENT  PROXY   RESULT                    LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
late  default        Cert Chain  true             PRESENT     -       MISMATCH: proxy is stale  18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
late  default        Cert Chain  false (EXPIRED)  -           ACTIVE  MISMATCH: proxy is stale  -2h   1f40                              2026-06-01T10:00:00Z  2026-05-31T09:58:00Z
"
`)
  expect(notes).toEqual(['Not shown: 4,001 rows without a problem, of 2,001 pods; --show all shows them'])
})

test('nothing stands on stdout where no row has a problem', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf(fineItems(1)), {show: 'problems'})

  expect(text).toBe('')
  expect(notes).toEqual(['Not shown: 2 rows without a problem, of 1 pod; --show all shows them'])
})

test('an empty selection is said beside an empty stdout', async () => {
  const {text, notes} = await renderText('table', secretDiffView, runOf([]))

  expect(text).toBe('')
  expect(notes).toEqual(['No pods with an agent found'])
})

test('5,000 rows stand aligned under one head', async () => {
  const {text} = await renderText('table', secretDiffView, runOf(fineItems(2500)), {show: 'all'})

  const lines = text.trimEnd().split('\n')
  const [head = ''] = lines
  expect(lines).toHaveLength(5001)
  expect(new Set(lines.slice(1).map((line) => line.search(/M?MATCH/)))).toEqual(new Set([head.indexOf('RESULT')]))
})

test('least time left comes first among equals', async () => {
  const items = [24, 2, 300].map((hours) =>
    diffItem(`cart-${hours}`, [leafRow({}, leaf({notAfterMs: NOW_MS + hours * 3_600_000}))]),
  )

  const {text} = await renderText('custom-columns=POD:.pod', secretDiffView, runOf(items))
  const table = await renderText('table', secretDiffView, runOf(items), {headers: false})

  expect(text).toBe('POD\ncart-24\ncart-2\ncart-300\n')
  expect(table.text.split('\n').map((line) => line.split(' ')[0])).toEqual(['cart-2', 'cart-24', 'cart-300', ''])
})

test('--sort-by orders rows by a field of the row or of its pod, numbers in names by their size', async () => {
  const items = ['cart-10', 'cart-9', 'cart-1'].map((name) => diffItem(name, [leafRow(), rootRow()]))

  const byPod = await renderText('table', secretDiffView, runOf(items), {
    headers: false,
    sortBy: parseSortBy('{.pod}'),
  })
  const byName = await renderText('table', secretDiffView, runOf(items), {
    headers: false,
    sortBy: parseSortBy('.resource_name'),
  })

  expect(firstCells(byPod.text)).toEqual([
    'cart-1 default',
    'cart-1 ROOTCA',
    'cart-9 default',
    'cart-9 ROOTCA',
    'cart-10 default',
    'cart-10 ROOTCA',
    '',
  ])
  expect(firstCells(byName.text)).toEqual([
    'cart-10 default',
    'cart-9 default',
    'cart-1 default',
    'cart-10 ROOTCA',
    'cart-9 ROOTCA',
    'cart-1 ROOTCA',
    '',
  ])
})

test('colour is painted after padding: without it the text is the same', async () => {
  const plain = await renderText('table', secretDiffView, runOf(demoItems()))

  const painted = await renderText('table', secretDiffView, runOf(demoItems()), {colour: true})

  expect(painted.text).toContain(`${ESC}[31mMISMATCH: proxy is stale${ESC}[39m  18h`)
  expect(stripVTControlCharacters(painted.text)).toBe(plain.text)
})

test('foreign text cannot move the cursor, turn the line around, hide or break it', async () => {
  const names = [
    `${ESC}[2J${ESC}]0;owned\u{7}`,
    'a\nfake-pod  default  MATCH',
    '\u{202e}tluafed\u{202c}',
    'zero\u{200b}width\u{feff}',
    'c1\u{9b}31m',
    'tag\u{e0041}',
    'half\ud800',
    '',
    'a name with  two spaces\tand a tab',
  ]
  const items = [
    diffItem(
      'cart-1',
      names.map((name) => leafRow({name})),
    ),
  ]

  const {text} = await renderText('custom-columns=NAME:.resource_name', secretDiffView, runOf(items))
  const table = await renderText('table', secretDiffView, runOf(items))

  expect(text).toMatchInlineSnapshot(`
"NAME
\\u001b[2J\\u001b]0;owned\\u0007
a\\nfake-pod  default  MATCH
\\u202etluafed\\u202c
zero\\u200bwidth\\ufeff
c1\\u009b31m
tag\\u{e0041}
half\\ud800
-
a name with  two spaces\\tand a tab
"
`)
  expect(table.text).toContain('(no name)')
  expect(table.text).not.toMatch(/[^\n\P{C}]/u)
})

test('columns stay aligned beside characters that are wide, combined or drawn from several', async () => {
  const names = ['снабжение', '証明書', '👍🏽', '🇩🇪', 'नमस्ते', 'e\u{301}']
  const items = [
    diffItem(
      'cart-1',
      names.map((name) => leafRow({name})),
    ),
  ]

  const {text} = await renderText('table', secretDiffView, runOf(items), {width: 200})

  const before = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => stringWidth(line.slice(0, line.indexOf('Cert Chain'))))
  expect(new Set(before)).toEqual(new Set(['POD     RESOURCE NAME  '.length]))
})

test('one monstrous name does not widen every line without end', async () => {
  const items = [diffItem('cart-1', [leafRow({name: 'n'.repeat(5_000_000)}), rootRow()])]

  const {text} = await renderText('table', secretDiffView, runOf(items))

  expect(Math.max(...text.split('\n').map(({length}) => length))).toBeLessThan(1200)
  expect(text).toContain('n…')
})
