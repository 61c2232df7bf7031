import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {answerOf, type PartOptions, partOf} from '../answers.ts'
import {factsOf} from '../facts.ts'

const PATH = '/apis/cert-manager.io/v1/namespaces/shop/certificates?limit=500'

async function read(body: unknown, options: PartOptions = {}): Promise<readonly string[]> {
  const part = partOf(typeof body === 'string' ? body : JSON.stringify(body), {path: PATH, ...options})
  const certificates = createCertificateReader({maxEntries: 1})
  return factsOf(await decode(answerOf('cert-manager', [part], {route: 'api', side: 'agent'}), {certificates}))
}

function listOf(items: readonly unknown[], more = ''): unknown {
  return {
    kind: 'CertificateList',
    apiVersion: 'cert-manager.io/v1',
    metadata: {resourceVersion: '1', continue: more},
    items,
  }
}

function certificate(name: string, status: unknown, spec: unknown = {secretName: `${name}-cert`}): unknown {
  return {metadata: {name, namespace: 'shop', managedFields: [{}]}, spec, status}
}

const READY = {type: 'Ready', status: 'True', reason: 'Ready', message: 'Certificate is up to date and has not expired'}
const DATES = {
  notBefore: '2026-05-01T00:00:00Z',
  notAfter: '2026-07-30T00:00:00Z',
  renewalTime: '2026-06-30T00:00:00Z',
}

test('a Certificate tells its Secret, when it ends and is renewed, and whether it is ready', async () => {
  expect(await read(listOf([certificate('web', {...DATES, conditions: [READY], revision: 2})]))).toEqual([
    'certificates of | shop',
    '  web | in web-cert | ends 2026-07-30T00:00:00Z | renewed 2026-06-30T00:00:00Z | Ready true Ready "Certificate is up to date and has not expired"',
  ])
})

test('one that is being issued, one that was never issued, and one that nobody looked at yet', async () => {
  const failed = {
    type: 'Ready',
    status: 'False',
    reason: 'DoesNotExist',
    message: 'Issuing certificate as\nSecret does not exist',
  }
  const issuing = {type: 'Issuing', status: 'True', reason: 'DoesNotExist'}

  const facts = await read(
    listOf([
      certificate('renewing', {...DATES, conditions: [issuing, READY], nextPrivateKeySecretName: 'renewing-x7k2p'}),
      certificate('new', {conditions: [failed, issuing]}),
      certificate('unseen', undefined),
    ]),
  )

  expect(facts.slice(1)).toEqual([
    expect.stringMatching(/^ {2}renewing \| .* \| Ready true .* \| issuing$/),
    '  new | in new-cert | Ready false DoesNotExist "Issuing certificate as Secret does not exist" | issuing',
    '  unseen | in unseen-cert',
  ])
})

test('a page that is not the last one says where the next begins', async () => {
  expect(await read(listOf([], 'token'))).toEqual(['certificates of | shop | next token'])
})

test.each<[string, unknown, string]>([
  [
    'dates that are none',
    {notAfter: 'tomorrow', renewalTime: 7},
    '  odd | in odd-cert | status.notAfter is no time: "tomorrow" | status.renewalTime is no time: 7',
  ],
  [
    'an end before the start',
    {...DATES, notAfter: '2026-04-01T00:00:00Z'},
    '  odd | in odd-cert | renewed 2026-06-30T00:00:00Z | status.notAfter is before status.notBefore',
  ],
  ['a status that is a text', 'Ready', '  odd | in odd-cert'],
  ['conditions that are none', {conditions: ['Ready', null, {type: 7}]}, '  odd | in odd-cert'],
  ['dates that are null', {notAfter: null, notBefore: null}, '  odd | in odd-cert'],
])('%s are told as such', async (_what, status, fact) => {
  expect((await read(listOf([certificate('odd', status)])))[1]).toBe(fact)
})

test('a message that goes on and on is cut', async () => {
  const condition = {type: 'Ready', status: 'False', reason: 'Failed', message: 'x'.repeat(10_000)}

  const [, fact] = await read(listOf([certificate('web', {conditions: [condition]})]))

  expect(fact?.length).toBeLessThan(300)
})

test('what is no Certificate in a list costs nothing else', async () => {
  const items = [7, null, [], {}, {metadata: {name: 'x'}}, certificate('no-secret', {}, {}), certificate('web', DATES)]

  expect(await read(listOf(items))).toHaveLength(2)
})

test.each([
  ['the text of an API server without cert-manager', '404 page not found\n'],
  [
    'its Status',
    JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      message: 'the server could not find the requested resource',
      code: 404,
    }),
  ],
])('%s says nothing, and is no failure', async (_what, body) => {
  expect(await read(body, {status: 404})).toEqual([])
})

test.each<[string, string, PartOptions, RegExp]>([
  ['a web page', '<html>login</html>', {status: 404}, /proxy-in-between/],
  ['another document', '{"kind":"Pod"}', {}, /bad-payload.*it is no list/],
  ['a list that breaks off', '{"kind":"CertificateList","items":[{"meta', {}, /cut-off/],
  ['nothing', '', {}, /empty-answer/],
])('%s is a failure', async (_what, body, options, failure) => {
  const facts = await read(body, options)

  expect(facts).toHaveLength(1)
  expect(facts[0]).toMatch(failure)
  expect(facts[0]).toContain('list of Certificates of shop')
})
