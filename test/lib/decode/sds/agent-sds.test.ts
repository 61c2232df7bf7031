import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {REMOVED_KEY} from '../../../../src/lib/domain/answer.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {answerOf, partOf, readFixture} from '../answers.ts'

const CHAIN = readFixture('real-istio-active/cert-chain.pem')
const ROOTS = readFixture('real-istio-active/root-cert.pem')

function source(bytes: Buffer): unknown {
  return {inline_bytes: bytes.toString('base64')}
}

function chain(name: string, bytes = CHAIN): unknown {
  const resources = [{name, tls_certificate: {certificate_chain: source(bytes)}}]
  return {resource_name: 'default', version_info: '2026-06-01T12:00:00Z/1', resources, other_types: []}
}

const roots = {
  resource_name: 'ROOTCA',
  version_info: '2026-06-01T12:00:00Z/2',
  resources: [{name: 'ROOTCA', validation_context: {trusted_ca: source(ROOTS)}}],
  other_types: [],
}

async function read(responses: unknown): Promise<readonly Observation[]> {
  const part = partOf(JSON.stringify({socket: '/var/run/sds', responses}), {path: 'the SDS socket'})
  const certificates = createCertificateReader({maxEntries: 10})
  return await decode(answerOf('agent-sds', [part], {route: 'exec', side: 'agent'}), {certificates})
}

test('what an agent serves is its chain and its roots, and that is all it has', async () => {
  const [seen, ...rest] = await read([chain('default'), roots])

  expect(rest).toEqual([])
  expect(seen).toMatchObject({
    type: 'secrets',
    side: 'agent',
    by: {source: 'agent-sds', route: 'exec'},
    complete: true,
    items: [
      {name: 'default', type: 'Cert Chain', version: '2026-06-01T12:00:00Z/1', keyFound: false},
      {name: 'ROOTCA', type: 'CA', version: '2026-06-01T12:00:00Z/2'},
    ],
  })
})

test('a refusal of one secret leaves the other, and then a missing name says nothing', async () => {
  const error = {code: 'timeout', message: 'Cannot read ROOTCA: DEADLINE_EXCEEDED', hint: 'Wait'}

  const [seen, ...rest] = await read([chain('default'), {resource_name: 'ROOTCA', error}])

  expect(seen).toMatchObject({type: 'secrets', complete: false, items: [{name: 'default'}]})
  expect(rest).toEqual([
    {
      type: 'unusable',
      failure: {...error, stage: 'fetch', side: 'agent', source: 'agent-sds', route: 'exec'},
    },
  ])
})

test.each([
  ['another name', {...(chain('spiffe://other') as object)}, /default was asked for, and spiffe:\/\/other came/],
  ['nothing', {resource_name: 'default', resources: [], other_types: []}, /default was asked for, and nothing came/],
  [
    'another type',
    {resource_name: 'default', resources: [], other_types: ['type.googleapis.com/x.Y']},
    /and type\.googleapis\.com\/x\.Y came/,
  ],
])('%s than was asked for is no answer', async (_what, response, message) => {
  expect(await read([response])).toEqual([
    {
      type: 'unusable',
      failure: expect.objectContaining({code: 'empty-answer', message: expect.stringMatching(message)}),
    },
  ])
})

test('a key that stood in place of a certificate is told', async () => {
  const [seen] = await read([chain('default', Buffer.concat([Buffer.from(`${REMOVED_KEY}\n`), CHAIN]))])

  expect(seen).toMatchObject({items: [{name: 'default', keyFound: true}]})
})

test.each([
  ['no list', {}],
  ['a text', 'secrets'],
  ['nothing', null],
])('%s of responses is a bad payload', async (_what, responses) => {
  expect(await read(responses)).toEqual([{type: 'unusable', failure: expect.objectContaining({code: 'bad-payload'})}])
})
