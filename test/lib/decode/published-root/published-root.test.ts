import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {answerOf, partOf, readFixture} from '../answers.ts'

const PATH = '/api/v1/namespaces/shop/configmaps/istio-ca-root-cert'
const ROOTS = readFixture('negative-serial/bundle.pem').toString()

async function read(body: string, status = 200): Promise<readonly Observation[]> {
  const certificates = createCertificateReader({maxEntries: 100})
  return decode(answerOf('published-root', [partOf(body, {path: PATH, status})], {route: 'api', side: 'agent'}), {
    certificates,
  })
}

function configMap(data: unknown): string {
  return JSON.stringify({kind: 'ConfigMap', apiVersion: 'v1', metadata: {name: 'istio-ca-root-cert'}, data})
}

test('the ConfigMap gives its roots in order', async () => {
  const observations = await read(configMap({'root-cert.pem': ROOTS}))

  expect(observations).toMatchObject([
    {
      type: 'published-roots',
      by: {source: 'published-root', route: 'api'},
      roots: [{serial: '51a7c0de9b3344f0a1'}, {serial: '-7b11c0ffee'}, {serial: '7733aa10fe2299c4b0'}],
    },
  ])
})

test('a root that cannot be read is told beside the others', async () => {
  const bad = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

  const observations = await read(configMap({'root-cert.pem': ROOTS + bad}))

  expect(observations).toMatchObject([
    {type: 'published-roots', roots: [{}, {}, {}]},
    {type: 'unusable', failure: {code: 'bad-payload', message: expect.stringContaining('PEM block is no certificate')}},
  ])
})

test.each([
  [
    configMap({}),
    200,
    'bad-payload',
    'nothing under root-cert.pem',
    'kubectl get configmap istio-ca-root-cert -n shop -o yaml',
  ],
  [
    configMap(null),
    200,
    'bad-payload',
    'nothing under root-cert.pem',
    'kubectl get configmap istio-ca-root-cert -n shop -o yaml',
  ],
  [
    configMap({'root-cert.pem': ' '}),
    200,
    'bad-payload',
    'nothing under root-cert.pem',
    'kubectl get configmap istio-ca-root-cert -n shop -o yaml',
  ],
  [
    '{"kind":"Status","message":"configmaps \\"istio-ca-root-cert\\" not found","code":404}',
    404,
    'not-found',
    'not found',
    undefined,
  ],
  [
    '{"kind":"Status","status":"Failure","message":"configmaps is forbidden: User \\"ci\\" cannot get it","code":403}',
    403,
    'forbidden',
    'HTTP 403, configmaps is forbidden: User "ci" cannot get it',
    'the right to get configmaps',
  ],
  ['', 200, 'empty-answer', 'an empty answer', 'Take it again'],
])('answer %# gives no roots', async (body, status, code, reason, hint?: string) => {
  expect(await read(body, status)).toEqual([
    {
      type: 'unusable',
      failure: {
        side: 'agent',
        source: 'published-root',
        route: 'api',
        stage: 'decode',
        code,
        message: `Cannot read the published root certificates from ${PATH}: ${reason}`,
        ...(hint === undefined ? {} : {hint: hintWith(hint)}),
      },
    },
  ])
})

function hintWith(text: string): unknown {
  return expect.stringContaining(text)
}

const BUNDLE = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles/istio.io%3Aistiod-ca%3Aroot-cert'

async function readBundle(body: unknown, status = 200): Promise<readonly Observation[]> {
  const part = partOf(JSON.stringify(body), {path: BUNDLE, status})
  const certificates = createCertificateReader({maxEntries: 100})
  return await decode(answerOf('published-root', [part], {route: 'api', side: 'agent'}), {certificates})
}

test('a ClusterTrustBundle gives its roots, and its name', async () => {
  const spec = {signerName: 'istio.io/istiod-ca', trustBundle: ROOTS}

  expect(await readBundle({kind: 'ClusterTrustBundle', spec})).toMatchObject([
    {type: 'published-roots', from: 'ClusterTrustBundle istio.io:istiod-ca:root-cert', roots: [{}, {}, {}]},
  ])
})

test.each([
  [{kind: 'Status', code: 404}, 404, 'not-found', 'not found'],
  [{kind: 'ClusterTrustBundle', spec: {}}, 200, 'bad-payload', 'nothing under trustBundle'],
  [{kind: 'ClusterTrustBundle', data: {'root-cert.pem': ROOTS}}, 200, 'bad-payload', 'nothing under trustBundle'],
])('of a bundle %j with status %i: %s', async (body, status, code, text) => {
  expect(await readBundle(body, status)).toMatchObject([
    {type: 'unusable', failure: {source: 'published-root', code, message: expect.stringContaining(text)}},
  ])
})
