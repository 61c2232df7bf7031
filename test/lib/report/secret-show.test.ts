import {expect, test} from '@jest/globals'
import stringWidth from 'string-width'
import {stripVTControlCharacters} from 'node:util'
import type {SecretShowItem} from '../../../src/lib/domain/report.ts'
import type {SecretShowRow} from '../../../src/lib/domain/row.ts'
import {parseOutputFormat} from '../../../src/lib/report/output-format.ts'
import {renderPem} from '../../../src/lib/report/renderers/pem.ts'
import {secretShowView} from '../../../src/lib/report/views/secret-show.ts'
import {leaf, listRow, podItem, REFUSED, root, runOf} from './items.ts'
import {renderText} from './render-text.ts'
import {schemaErrors} from './schema-check.ts'

const PUBLIC_KEY = 'b0a1c2d3e4f5061728394a5b6c7d8e9fb0a1c2d3e4f5061728394a5b6c7d8e9f'
const CART = leaf({
  usages: ['digitalSignature', 'keyEncipherment', 'serverAuth', 'clientAuth'],
  key: {type: 'EC', size: 256, curve: 'P-256', fingerprint: PUBLIC_KEY},
  sans: ['URI:spiffe://cluster.local/ns/shop/sa/cart', 'IP:2001:db8::1'],
})
const MIDDLE = root({
  serial: '44aa',
  subject: 'CN=intermediate shop,OU=a unit with a long name,O=cluster.local',
  issuer: 'O=cluster.local',
  selfSigned: false,
  position: 'intermediate',
  fingerprint: '1111222233334444111122223333444411112222333344441111222233334444',
  notAfterMs: Date.parse('2026-06-01T11:00:00Z'),
  pem: '-----BEGIN CERTIFICATE-----\nbWlkZGxl\n-----END CERTIFICATE-----\n',
})
const ROOT = root({usages: []})

function item(rows: readonly SecretShowRow[], changes: Partial<SecretShowItem> = {}): SecretShowItem {
  return {...podItem('cart-1'), rows, ...changes}
}

const EXPIRED_CHAIN: SecretShowRow = {
  ...listRow(
    {
      chain: [{certificate: MIDDLE, status: 'EXPIRED'}],
      statusReason: 'intermediate 44aa ended at 2026-06-01T11:00:00Z',
      lastUpdated: '2026-06-01T05:58:03Z',
    },
    CART,
  ),
  check: {
    signedByNext: [true],
    end: 'issuer-not-included',
    verified: false,
    reason: 'CN=intermediate shop,OU=a unit with a long name,O=cluster.local ended at 2026-06-01T11:00:00Z',
    trustedBy: {name: 'ROOTCA', root: ROOT},
  },
}

/** An agent's certificate of which only the end is known. */
const {state: _state, ...HELD_BY_AGENT} = listRow({side: 'agent', source: 'agent-metrics'})
const BY_EXPIRY: SecretShowRow = {
  ...HELD_BY_AGENT,
  certificate: {
    readable: true,
    notAfterMs: leaf().notAfterMs,
    subject: '',
    issuer: '',
    sans: [],
    spiffeIds: [],
    isCa: false,
    selfSigned: false,
    key: {type: 'unknown'},
    position: 'leaf',
  },
  check: {
    signedByNext: [],
    end: undefined,
    verified: undefined,
    reason: 'only facts of the certificate are known, not the certificate',
  },
}

const rootRow = (changes: Partial<SecretShowRow> = {}, certificate = ROOT): SecretShowRow =>
  listRow({name: 'ROOTCA', type: 'CA', ...changes}, certificate)

const PAGE = [item([BY_EXPIRY, EXPIRED_CHAIN, rootRow()], {verdict: 'fail'})]

test('a terminal of 80 columns shows all of it, wrapped', async () => {
  const {text, notes} = await renderText('table', secretShowView, runOf(PAGE), {width: 80})

  expect(text).toMatchInlineSnapshot(`
"shop/cart-1
  kind          istio-sidecar, container istio-proxy
  node          n1
  agent         read: agent-files by exec
  proxy         read: envoy-config-dump by port-forward
  verdict       fail

default at the agent
  type          Cert Chain, from agent-metrics
  trust domain  cluster.local
  node id       sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local
  trust         not checked: only facts of the certificate are known, not the
                certificate

  leaf          VALID, 18h left
  until         2026-06-02T06:00:00Z

default at the proxy
  type          Cert Chain, from envoy-config-dump
  state         ACTIVE, since 2026-06-01T05:58:03Z
  trust domain  cluster.local
  node id       sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local
  status        the chain is not well: intermediate 44aa ended at
                2026-06-01T11:00:00Z
  chain         2 certificates, each signed by the next, the last one's issuer
                is not included
  trust         NOT VERIFIED: CN=intermediate shop,OU=a unit with a long name,
                O=cluster.local ended at 2026-06-01T11:00:00Z

  leaf          VALID, 18h of 24h left (74%)
  subject       (none)
  issuer        O=cluster.local
  signed by     the next one
  SANs          URI:spiffe://cluster.local/ns/shop/sa/cart
                IP:2001:db8::1
  serial        5c1d7e90a2b34455667788990a1b2c3d
  from          2026-06-01T05:58:00Z
  until         2026-06-02T06:00:00Z
  key           EC P-256
  usages        digitalSignature, keyEncipherment, serverAuth, clientAuth
  fingerprint   77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd
  key sha256    b0a1c2d3e4f5061728394a5b6c7d8e9fb0a1c2d3e4f5061728394a5b6c7d8e9f

  intermediate  EXPIRED 1h ago
  subject       CN=intermediate shop,OU=a unit with a long name,O=cluster.local
  issuer        O=cluster.local
  signed by     an issuer that is not included
  serial        44aa
  from          2025-01-01T00:00:00Z
  until         2026-06-01T11:00:00Z
  key           RSA 4096
  fingerprint   1111222233334444111122223333444411112222333344441111222233334444

ROOTCA at the proxy
  type          CA, from envoy-config-dump
  state         ACTIVE
  trust domain  cluster.local
  node id       sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local

  root          VALID, 8y of 10y left (85%)
  subject       O=cluster.local
  issuer        O=cluster.local
  signed by     itself
  serial        32000000
  from          2025-01-01T00:00:00Z
  until         2034-12-30T00:00:00Z
  key           RSA 4096
  usages        (no limit)
  fingerprint   6f0392957b3950a86f0392957b3950a86f0392957b3950a86f0392957b3950a8
"
`)
  expect(notes).toEqual([])
})

test('at 120 columns less is wrapped, and with wide or in a pipe nothing', async () => {
  const {text} = await renderText('table', secretShowView, runOf(PAGE), {width: 120})
  const wide = await renderText('wide', secretShowView, runOf(PAGE), {width: 80})
  const pipe = await renderText('table', secretShowView, runOf(PAGE))

  expect(text.split('\n').slice(14, 24).join('\n')).toMatchInlineSnapshot(`
"  until         2026-06-02T06:00:00Z

default at the proxy
  type          Cert Chain, from envoy-config-dump
  state         ACTIVE, since 2026-06-01T05:58:03Z
  trust domain  cluster.local
  node id       sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local
  status        the chain is not well: intermediate 44aa ended at 2026-06-01T11:00:00Z
  chain         2 certificates, each signed by the next, the last one's issuer is not included
  trust         NOT VERIFIED: CN=intermediate shop,OU=a unit with a long name,O=cluster.local ended at"
`)
  expect(wide).toEqual(pipe)
  expect(pipe.text).toContain(
    '  trust         NOT VERIFIED: CN=intermediate shop,OU=a unit with a long name,O=cluster.local ended at 2026-06-01T11:00:00Z\n',
  )
})

test.each([20, 39, 40, 60, 80])(
  'no line is wider than a terminal of %i columns, and no letter is lost',
  async (width) => {
    const {text} = await renderText('table', secretShowView, runOf(PAGE), {width})

    expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    expect(text.replaceAll(/\s/g, '')).toContain(CART.fingerprint)
  },
)

test('colours stand on what calls for attention, and change no letter', async () => {
  const plain = await renderText('table', secretShowView, runOf(PAGE))
  const {text} = await renderText('table', secretShowView, runOf(PAGE), {colour: true})

  expect(stripVTControlCharacters(text)).toBe(plain.text)
  expect(text).toContain('\u{1b}[31mNOT VERIFIED')
  expect(text).toContain('\u{1b}[31mEXPIRED 1h ago')
  expect(text).toContain('\u{1b}[32mVALID, 18h of 24h left (74%)')
})

test('a link that is not signed, a refused update and a key are told', async () => {
  const row: SecretShowRow = {
    ...EXPIRED_CHAIN,
    check: {...EXPIRED_CHAIN.check!, signedByNext: [false]},
    rejected: {at: '2026-06-01T11:00:00Z', details: 'Failed to load'},
    keyFound: true,
    notes: ['another one is warming'],
  }

  const {text} = await renderText('table', secretShowView, runOf([item([row])]))

  expect(text).toContain('  signed by     NOT the next one\n')
  expect(text).toContain('  chain         2 certificates, not each is signed by the next, ')
  expect(text).toContain('  rejected      update refused at 2026-06-01T11:00:00Z: Failed to load\n')
  expect(text).toContain('  key           a private key stands in place of a certificate\n')
  expect(text).toContain('  notes         another one is warming\n')
})

test('the roots of a bundle stand under one heading, those of another trust domain under their own', async () => {
  const spiffe = (trustDomain: string) => rootRow({type: 'SPIFFE Bundle', trustDomain})
  const rows = [rootRow(), rootRow(), spiffe('a.example'), spiffe('b.example'), rootRow({side: 'agent'})]

  const {text} = await renderText('table', secretShowView, runOf([item(rows)]))

  expect(text.match(/^ROOTCA at the (?:agent|proxy)$/gm)).toHaveLength(4)
  expect(text).toContain('  type          CA, 2 certificates, from envoy-config-dump\n')
  expect(text).toContain('  usages        (no limit)\n')
})

test('a pod that could not be read says so in place of its secrets', async () => {
  const unseen = item([], {verdict: 'unknown', incomplete: true, failures: [REFUSED]})

  const {text} = await renderText('table', secretShowView, runOf([unseen]))

  expect(text).toContain('secrets  UNKNOWN: Cannot open port 15000 of shop/cart-3: forbidden for user ci\n')
})

test('control characters in names reach no terminal', async () => {
  const hostile = leaf({subject: 'CN=\u{1b}[2Jgone\nsecond', sans: ['DNS:a\u202eb']})

  const {text} = await renderText('table', secretShowView, runOf([item([listRow({name: 'a\rb'}, hostile)])]))

  expect(text).toContain(String.raw`CN=\u001b[2Jgone\nsecond`)
  expect(text).toContain(String.raw`DNS:a\u202eb`)
  expect(text).toContain(String.raw`a\rb at the proxy`)
})

test('the document is a SecretList whose rows say who signed what and who trusts it', async () => {
  const {text} = await renderText('json', secretShowView, runOf(PAGE))

  const document = JSON.parse(text) as {kind: string; items: [{secrets: {chain: object[]}[]}]}
  expect(document.kind).toBe('SecretList')
  expect(await schemaErrors('SecretList', document)).toEqual([])
  const [byExpiry, chain, anchor] = document.items[0].secrets
  expect(chain).toMatchObject({
    usages: ['digitalSignature', 'keyEncipherment', 'serverAuth', 'clientAuth'],
    key: {fingerprint_sha256: PUBLIC_KEY},
    signed_by_next: true,
    chain_end: 'issuer-not-included',
    verified: false,
    verified_reason: EXPIRED_CHAIN.check?.reason,
    trusted_by: {resource_name: 'ROOTCA', subject: 'O=cluster.local', fingerprint_sha256: ROOT.fingerprint},
  })
  expect(chain?.chain[0]).not.toHaveProperty('signed_by_next')
  expect(byExpiry).toMatchObject({verified_reason: BY_EXPIRY.check?.reason})
  expect(byExpiry).not.toHaveProperty('verified')
  expect(anchor).not.toHaveProperty('verified_reason')
})

test('as PEM chains stand before bundles, each with a comment, what both sides hold once', async () => {
  const agents: SecretShowRow = {...EXPIRED_CHAIN, side: 'agent'}
  const rows = [rootRow({side: 'agent'}), agents, EXPIRED_CHAIN, rootRow()]
  const text = secretShowView.pem!(item(rows))

  expect(text).toMatchInlineSnapshot(`
"# cart-1 default leaf, held by agent and proxy: serial 5c1d7e90a2b34455667788990a1b2c3d, until 2026-06-02T06:00:00Z
-----BEGIN CERTIFICATE-----
bGVhZg==
-----END CERTIFICATE-----
# cart-1 default intermediate, held by agent and proxy: serial 44aa, until 2026-06-01T11:00:00Z, CN=intermediate shop,OU=a unit with a long name,O=cluster.local
-----BEGIN CERTIFICATE-----
bWlkZGxl
-----END CERTIFICATE-----
# cart-1 ROOTCA root, held by agent and proxy: serial 32000000, until 2034-12-30T00:00:00Z, O=cluster.local
-----BEGIN CERTIFICATE-----
cm9vdA==
-----END CERTIFICATE-----
"
`)
})

test('no name in a comment begins a block, and what is no certificate is a comment alone', () => {
  const cut = {readable: false, problem: 'certificate cut off', position: 'leaf'} as const
  const bad = '\n-----BEGIN CERTIFICATE-----\nAAAA'
  const rows = [{...listRow({name: bad}), certificate: cut}, BY_EXPIRY]

  const text = secretShowView.pem!(item(rows))

  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))).toEqual([])
  expect(text).not.toContain('-----')
  expect(text).toContain('certificate cut off')
  expect(text).toContain('the certificate itself is not in the answer')
})

test('where no certificate is known, that is said', async () => {
  const notes: string[] = []
  async function* events() {
    yield* runOf([item([BY_EXPIRY])])
  }

  await Array.fromAsync(renderPem(secretShowView, events(), (text) => notes.push(text)))

  expect(notes).toEqual(['No certificate stands in the answers: what is known of them is in -o json'])
})

test('pem is a format of secrets show alone', () => {
  expect(parseOutputFormat('pem', ['pem'])).toEqual({type: 'pem'})
  expect(() => parseOutputFormat('pem')).toThrow('expected one of table, wide, json')
})
