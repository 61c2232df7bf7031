import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {type Sandbox, startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {type Leftovers, piecesOfKey, readApart} from '../../support/read-apart.ts'

const GATEWAY = 'portal/portal-gateway-istio-6d8f9b7c5-h5w8z'
/** As cert-manager writes them, one with its key in the certificate, and one under Istio's names with a copy beside. */
const SECRETS = ['portal/renewed-cert', 'portal/spoiled-cert', 'certificates/mutual-cert']

let sandbox: Sandbox
let pem: string
let left: Leftovers

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  pem = await sandbox.secretKeyPem()
  left = await readApart('secret-client', sandbox, [GATEWAY, ...SECRETS])
}, 60_000)

afterAll(async () => await sandbox.close())

test('the key is on the wire in each of the Secrets, in a name and an encoding that nobody expects too', () => {
  const texts = SECRETS.map((secret) => {
    const [namespace = '', name = ''] = secret.split('/')
    return sandbox.world.get(resourceTypes.secrets, namespace, name)!.json()
  })

  for (const text of texts) expect(piecesOfKey(pem, Buffer.from(text)).length).toBeGreaterThan(0)
  expect(texts[2]).toContain('"backup"')
})

test('what is kept are the certificates', () => {
  expect(left.kept.includes('"tls.crt":"LS0tLS1CRUdJTi')).toBe(true)
  expect(left.kept.includes('"cacert":"LS0tLS1CRUdJTi')).toBe(true)
  expect(left.kept.includes('"agent_source": "kubernetes-secret"')).toBe(true)
})

test('no answer, no observation and no output of the reader holds the key', () => {
  expect(piecesOfKey(pem, left.kept)).toEqual([])
})

test('not so much as the names of what is no certificate are kept', () => {
  for (const text of ['tls.key', 'backup', 'last-applied-configuration']) expect(left.kept.includes(text)).toBe(false)
})

test('a key in place of a certificate is told, and not kept', () => {
  expect(left.kept.includes('key-in-certificate')).toBe(true)
  expect(left.kept.includes('"key_found": true')).toBe(true)
})

test('no log holds it', () => {
  expect(piecesOfKey(pem, Buffer.from(left.printed))).toEqual([])
})

test('no text in the heap of the reader holds it', () => {
  expect(left.isHeapWhole).toBe(true)
  expect(left.heap.includes('-----BEGIN CERTIFICATE-----')).toBe(true)
  expect(piecesOfKey(pem, left.heap)).toEqual([])
})
