import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type CertificatePlan, makeCertificate, pemOf, testKey} from '../../support/make-certificate.ts'
import {runCommand} from '../../support/run-command.ts'

const NOW = '2026-06-01T12:00:00Z'
const [CA, OTHER_CA, RENEWED] = [testKey(21), testKey(22), testKey(23)]

const EARLIER = {notBefore: '20260601040200Z', notAfter: '20260602040400Z'}
const LATER = {notBefore: '20260601060000Z', notAfter: '20260602060200Z'}
const LEAF: CertificatePlan = {
  serial: Buffer.from('46a1', 'hex'),
  subject: 'cart',
  issuer: 'mesh',
  uris: ['spiffe://mesh.example/ns/shop/sa/cart'],
  signedWith: CA,
  ...EARLIER,
}
const NEXT: CertificatePlan = {...LEAF, serial: Buffer.from('46a2', 'hex'), key: RENEWED, ...LATER}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-detail-'))
})

afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** What `--detail` says of two sides, as a table and as JSON. */
async function detail(agent: readonly Buffer[], proxy: readonly Buffer[]) {
  const [ours, theirs] = [agent, proxy].map((certificates) => certificates.map(pemOf).join(''))
  const files = [join(folder, 'agent.pem'), join(folder, 'proxy.pem')] as const
  writeFileSync(files[0], ours ?? '')
  writeFileSync(files[1], theirs ?? '')
  const args = ['secrets', 'diff', '-f', `agent=${files[0]}`, '-f', `proxy=${files[1]}`, '--detail', '--now', NOW]
  const table = await runCommand(args)
  const json = await runCommand([...args, '-o', 'json'])
  const {items} = JSON.parse(json.stdout) as {
    items: readonly {detail: readonly {reason: string; fields: readonly {field: string}[]}[]}[]
  }
  return {
    table: table.stdout,
    reasons: items.flatMap((item) => item.detail.map(({reason}) => reason)),
    fields: items.flatMap((item) => item.detail.flatMap((one) => one.fields.map(({field}) => field))),
  }
}

test.each<[string, CertificatePlan, CertificatePlan, string, readonly string[]]>([
  [
    'the proxy did not follow',
    NEXT,
    LEAF,
    'proxy is stale by 1h58m',
    ['serial_number', 'not_before', 'not_after', 'key.fingerprint_sha256', 'fingerprint_sha256'],
  ],
  [
    'the key was kept',
    {...NEXT, key: testKey(7)},
    LEAF,
    'proxy is stale by 1h58m, same key renewed',
    ['serial_number', 'not_before', 'not_after', 'fingerprint_sha256'],
  ],
  [
    'another CA signed it',
    {...NEXT, issuer: 'next mesh', signedWith: OTHER_CA},
    LEAF,
    "other issuer, the proxy's is 1h58m older",
    ['issuer'],
  ],
  [
    'it is of another trust domain',
    {...NEXT, uris: ['spiffe://other.example/ns/shop/sa/cart'], ...EARLIER},
    LEAF,
    'other trust domain',
    ['sans'],
  ],
  [
    'a serial was given twice',
    {...NEXT, serial: LEAF.serial, ...EARLIER},
    LEAF,
    'same serial, other certificate',
    ['fingerprint_sha256'],
  ],
])('where %s, table and JSON say so of real certificates', async (_, agent, proxy, reason, fields) => {
  const said = await detail([makeCertificate(agent)], [makeCertificate(proxy)])

  expect(said.reasons).toEqual([reason])
  expect(said.table).toContain(reason)
  expect(said.fields).toEqual(expect.arrayContaining([...fields]))
})

test('where a root is missing at the proxy, table and JSON say so, with the root', async () => {
  const known = makeCertificate({serial: Buffer.from([1]), subject: 'mesh', isCa: true, key: CA})
  const missing = makeCertificate({serial: Buffer.from([2]), subject: 'next mesh', isCa: true, key: OTHER_CA})

  const said = await detail([known, missing], [known])

  expect(said.reasons).toEqual(['root missing at the proxy'])
  expect(said.table).toContain('root missing at the proxy')
  expect(said.fields).toEqual(expect.arrayContaining(['subject', 'serial_number']))
})
