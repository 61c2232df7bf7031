import {expect, test} from '@jest/globals'
import stringWidth from 'string-width'
import type {Difference} from '../../../src/lib/domain/row.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {diffItem, leaf, leafRow, root, runOf, staleRows} from './items.ts'
import {renderText} from './render-text.ts'
import {schemaErrors} from './schema-check.ts'

const OLD = leaf({
  serial: '1f40',
  fingerprint: '69ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd1',
  notBeforeMs: Date.parse('2026-05-31T09:58:00Z'),
  notAfterMs: Date.parse('2026-06-01T10:00:00Z'),
})

const STALE: Difference = {
  name: 'default',
  reason: 'proxy is stale by 20h',
  confirmed: true,
  agent: {source: 'agent-files', certificates: [leaf(), root({subject: 'CN=new'})]},
  proxy: {source: 'envoy-config-dump', certificates: [OLD, root({subject: 'CN=old'})]},
}

const MISSING: Difference = {
  name: 'ROOTCA',
  reason: 'root missing at the proxy until its next renewal',
  confirmed: false,
  agent: {source: 'published-root', certificates: [root()]},
}

function run(...differences: readonly Difference[]) {
  return runOf([diffItem('cart-1', [leafRow()]), diffItem('cart-2', staleRows(), {differences})])
}

async function below(differences: readonly Difference[], changes: {width?: number; colour?: boolean} = {}) {
  const {text} = await renderText('table', secretDiffView, run(...differences), changes)
  return text.slice(text.indexOf('\n\n') + 2)
}

test('below the table stands a unified diff of the fields, from the agent to the proxy, within 80 columns', async () => {
  const text = await below([STALE, MISSING], {width: 80})

  expect(text).toMatchInlineSnapshot(`
"shop/cart-2 default: proxy is stale by 20h
--- agent (agent-files)
+++ proxy (envoy-config-dump)
 subject      (none)
 issuer       O=cluster.local
 SAN          URI:spiffe://cluster.local/ns/shop/sa/cart
-serial       5c1d7e90a2b34455667788990a1b2c3d
-from         2026-06-01T05:58:00Z
-until        2026-06-02T06:00:00Z
+serial       1f40
+from         2026-05-31T09:58:00Z
+until        2026-06-01T10:00:00Z
 key          EC P-256
-fingerprint  77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd
-chain 1      CN=new
+fingerprint  69ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd1
+chain 1      CN=old
 until        2034-12-30T00:00:00Z
 fingerprint  6f0392957b3950a86f0392957b3950a86f0392957b3950a86f0392957b3950a8

shop/cart-2 ROOTCA: root missing at the proxy until its next renewal (not
confirmed)
--- published by the control plane
+++ proxy (does not hold it)
-subject      O=cluster.local
-issuer       O=cluster.local
-serial       32000000
-from         2025-01-01T00:00:00Z
-until        2034-12-30T00:00:00Z
-key          RSA 4096
-fingerprint  6f0392957b3950a86f0392957b3950a86f0392957b3950a86f0392957b3950a8
"
`)
  expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80)
})

test('a line that a narrow terminal breaks keeps its sign', async () => {
  const text = await below([STALE], {width: 50})

  expect(text).toContain(
    `-fingerprint  ${leaf().fingerprint!.slice(0, 36)}\n-             ${leaf().fingerprint!.slice(36)}\n`,
  )
})

test('of a side that tells its expiry alone only that is compared', async () => {
  const {fingerprint: _, serial: __, notBeforeMs: ___, ...facts} = leaf({issuer: '', sans: [], key: {type: 'unknown'}})
  const byExpiry = {...STALE, agent: {source: 'agent-metrics', certificates: [facts]} as const}

  expect(await below([byExpiry])).toBe(`shop/cart-2 default: proxy is stale by 20h
--- agent (agent-metrics)
+++ proxy (envoy-config-dump)
-until  2026-06-02T06:00:00Z
+until  2026-06-01T10:00:00Z
`)
})

test('a certificate that cannot be read stands against one that can', async () => {
  const cut = {readable: false, problem: 'certificate cut off', position: 'leaf'} as const

  const text = await below([{...STALE, proxy: {certificates: [cut]}}])

  expect(text).toContain('+problem      certificate cut off\n')
  expect(text).toContain('-serial       5c1d7e90a2b34455667788990a1b2c3d\n')
})

test('a few names that differ among hundreds are shown with their neighbours', async () => {
  const names = Array.from({length: 400}, (_, index) => `DNS:shop-${index}.example`)
  const other = names.with(200, 'DNS:changed.example')

  const text = await below([
    {...STALE, agent: {certificates: [leaf({sans: names})]}, proxy: {certificates: [leaf({sans: other})]}},
  ])

  expect(text.split('\n')).toEqual([
    'shop/cart-2 default: proxy is stale by 20h',
    '--- agent',
    '+++ proxy',
    ...[197, 198, 199].map((index) => ` SAN  DNS:shop-${index}.example`),
    '-SAN  DNS:shop-200.example',
    '+SAN  DNS:changed.example',
    ...[201, 202, 203].map((index) => ` SAN  DNS:shop-${index}.example`),
    '',
  ])
})

test('certificates that have nothing in common are told one after the other, and no further than is useful', async () => {
  const names = (word: string) => Array.from({length: 5000}, (_, index) => `DNS:${word}-${index}.example`)

  const text = await below([
    {
      ...STALE,
      agent: {certificates: [leaf({sans: names('a')})]},
      proxy: {certificates: [leaf({sans: names('b')})]},
    },
  ])

  expect(text).toContain('(too different to be lined up)\n')
  expect(text).toMatch(/\n… and 9,8\d\d more lines: -o json has them all\n$/)
  expect(text.split('\n').length).toBeLessThan(210)
})

test('a name with a line break or a sign in it stays on its line', async () => {
  const hostile = leaf({subject: 'CN=a\n+serial ffff\n-----'})

  const text = await below([{...STALE, agent: {certificates: [hostile]}}])

  expect(text).toContain(String.raw`-subject      CN=a\n+serial ffff\n-----`)
})

test('without --detail nothing stands below the table, and nothing in the document', async () => {
  const items = runOf([diffItem('cart-2', staleRows())])

  const {text} = await renderText('table', secretDiffView, items)
  const json = await renderText('json', secretDiffView, items)

  expect(text).not.toContain('\n\n')
  expect(json.text).not.toContain('"detail"')
})

test('the document has the fields that differ, by the names that they have in rows', async () => {
  const {text} = await renderText('json', secretDiffView, run(STALE, MISSING))

  const document = JSON.parse(text) as {items: {detail?: {fields: object[]}[]}[]}
  expect(await schemaErrors('SecretDiffList', document)).toEqual([])
  const [fine, stale] = document.items
  expect(fine).not.toHaveProperty('detail')
  expect(stale?.detail?.[0]).toEqual({
    resource_name: 'default',
    reason: 'proxy is stale by 20h',
    confirmed: true,
    agent_source: 'agent-files',
    proxy_source: 'envoy-config-dump',
    fields: [
      {field: 'serial_number', agent: leaf().serial, proxy: '1f40'},
      {field: 'not_before', agent: '2026-06-01T05:58:00Z', proxy: '2026-05-31T09:58:00Z'},
      {field: 'not_after', agent: '2026-06-02T06:00:00Z', proxy: '2026-06-01T10:00:00Z'},
      {field: 'fingerprint_sha256', agent: leaf().fingerprint, proxy: OLD.fingerprint},
      {field: 'chain[0].subject', agent: 'CN=new', proxy: 'CN=old'},
    ],
  })
  expect(stale?.detail?.[1]).not.toHaveProperty('proxy_source')
  expect(stale?.detail?.[1]?.fields).toContainEqual({field: 'serial_number', agent: '32000000'})
})
