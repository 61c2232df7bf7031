import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {scrubSecret} from '../../../../src/lib/scrub/scrub-secret.ts'
import {answerOf, partOf, readFixture} from '../answers.ts'

const PATH = '/api/v1/namespaces/shop/secrets/web'
const LEAF = readFixture('decimal-vs-hex-serial/leaf.pem')
const ROOTS = readFixture('negative-serial/bundle.pem')

async function read(body: unknown, status = 200): Promise<readonly Observation[]> {
  const part = partOf(typeof body === 'string' ? body : JSON.stringify(body), {path: PATH, status})
  const scrubbed = {...part, body: scrubSecret(part.body)}
  const certificates = createCertificateReader({maxEntries: 10})
  return await decode(answerOf('kubernetes-secret', [scrubbed], {route: 'api', side: 'agent'}), {certificates})
}

function secret(data: Readonly<Record<string, Uint8Array | string>>): unknown {
  const encoded: Record<string, string> = {}
  for (const [key, value] of Object.entries(data)) {
    encoded[key] = typeof value === 'string' ? value : Buffer.from(value).toString('base64')
  }
  return {kind: 'Secret', metadata: {name: 'web', namespace: 'shop'}, data: encoded}
}

test('a pair and its CA, under the names of Kubernetes', async () => {
  expect(await read(secret({'tls.crt': LEAF, 'ca.crt': ROOTS}))).toMatchObject([
    {
      type: 'kubernetes-secret',
      by: {source: 'kubernetes-secret', route: 'api'},
      namespace: 'shop',
      name: 'web',
      exists: true,
      chain: {certificates: [{readable: true}], keyFound: false},
      roots: {certificates: [{serial: '51a7c0de9b3344f0a1'}, {serial: '-7b11c0ffee'}, {}]},
    },
  ])
})

test('Istio’s own names come before those of Kubernetes', async () => {
  const [seen] = await read(secret({'tls.crt': ROOTS, cert: LEAF, 'ca.crt': LEAF, cacert: ROOTS}))

  expect(seen).toMatchObject({chain: {certificates: [{}]}, roots: {certificates: [{}, {}, {}]}})
})

test('a Secret without certificates is there, and that is all', async () => {
  expect(await read(secret({password: Buffer.from('x')}))).toEqual([
    expect.not.objectContaining({chain: expect.anything()}),
  ])
  expect(await read({kind: 'Secret', data: null})).toMatchObject([{exists: true}])
})

test.each([
  ['what is no base64', '%%%', 'no base64'],
  ['base64 of base64', Buffer.from(LEAF.toString('base64')).toString('base64'), 'base64 text inside base64'],
  ['anything at all', Buffer.from('hello, this is a text').toString('base64'), 'no PEM block'],
])('%s is told as such', async (_what, text, problem) => {
  expect(await read(secret({'tls.crt': text}))).toMatchObject([
    {chain: {certificates: [{readable: false, problem: expect.stringContaining(problem)}]}},
  ])
})

test('a Secret that is not there is known not to be', async () => {
  const status = {kind: 'Status', status: 'Failure', reason: 'NotFound', message: 'secrets "web" not found', code: 404}

  expect(await read(status, 404)).toMatchObject([{type: 'kubernetes-secret', name: 'web', exists: false}])
})

test.each<[string, string, number, string]>([
  ['a web page', '<html></html>', 404, 'bad-payload'],
  ['a document of somebody else', '{"error":"no such page"}', 404, 'bad-payload'],
  ['another object', '{"kind":"ConfigMap","data":{"ca.crt":"x"}}', 200, 'bad-payload'],
  ['half a Secret', '{"kind":"Secret","data":{', 200, 'cut-off'],
])('%s is a failure', async (_what, body, status, code) => {
  expect(await read(body, status)).toMatchObject([{type: 'unusable', failure: {code, source: 'kubernetes-secret'}}])
})
