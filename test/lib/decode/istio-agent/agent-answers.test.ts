import {expect, test} from '@jest/globals'
import {decode, type DecodeContext} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {AnswerPart} from '../../../../src/lib/domain/answer.ts'
import {ProbeError} from '../../../../src/lib/domain/failure.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import type {Route, Source} from '../../../../src/lib/domain/question.ts'
import {answerOf, fixturePart, partOf, readFixture} from '../answers.ts'
import {factsOf} from '../facts.ts'

async function read(
  source: Source,
  parts: readonly AnswerPart[],
  route: Route = 'exec',
  context: Partial<DecodeContext> = {},
): Promise<readonly Observation[]> {
  const certificates = createCertificateReader({maxEntries: 100})
  return decode(answerOf(source, parts, {route, side: 'agent'}), {certificates, ...context})
}

const CHAIN = 'real-istio-active/cert-chain.pem'
const ROOTS = 'real-istio-active/root-cert.pem'

function client(pod: string): unknown {
  return {
    proxy: `sidecar~10.0.0.7~${pod}.shop~shop.svc.cluster.local`,
    resource_name: 'default',
    certificate_chain: readFixture(CHAIN).toString(),
    created_time: '0001-01-01T00:00:00Z',
  }
}

test('the two files of an agent are its default chain and its roots', async () => {
  const [seen, ...rest] = await read('agent-files', [
    fixturePart(CHAIN, {path: '/etc/istio/certs/cert-chain.pem'}),
    fixturePart(ROOTS, {path: '/etc/istio/certs/root-cert.pem'}),
  ])

  expect(rest).toEqual([])
  expect(seen).toMatchObject({
    type: 'secrets',
    side: 'agent',
    complete: true,
    items: [
      {name: 'default', type: 'Cert Chain', certificates: [{position: 'leaf'}, {position: 'root'}]},
      {name: 'ROOTCA', type: 'CA', certificates: [{position: 'root'}]},
    ],
  })
})

test.each([
  ['/c/certificates.pem', '/c/ca_certificates.pem'],
  ['/c/tls.crt', '/c/ca.crt'],
  ['/c/mine', '/c/theirs'],
])('%s and %s are a chain and roots by name, else by place', async (chain, roots) => {
  const [seen] = await read('agent-files', [fixturePart(CHAIN, {path: chain}), fixturePart(ROOTS, {path: roots})])

  expect(seen).toMatchObject({items: [{name: 'default'}, {name: 'ROOTCA'}]})
})

test('one file that cannot be read leaves the other', async () => {
  const failure = {stage: 'fetch', code: 'command-failed', message: 'cat: no such file'} as const
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new Uint8Array())
    throw new ProbeError(failure)
  }

  const observations = await read('agent-files', [
    fixturePart(CHAIN, {path: '/c/cert-chain.pem'}),
    {...partOf('', {path: '/c/root-cert.pem'}), body: body()},
  ])

  expect(observations).toMatchObject([
    {type: 'secrets', complete: false, items: [{name: 'default'}]},
    {type: 'unusable', failure: {...failure, source: 'agent-files', side: 'agent', route: 'exec'}},
  ])
})

test.each([
  [404, "cat: can't open '/c/root-cert.pem': No such file or directory", 'there is no such file'],
  [403, 'cat: /c/root-cert.pem: Permission denied', 'permission denied'],
])(
  'a file that a command could not print (%i) is told as a file, and leaves the other',
  async (status, said, words) => {
    const [seen, unread] = await read('agent-files', [
      fixturePart(CHAIN, {path: '/c/cert-chain.pem'}),
      partOf(said, {path: '/c/root-cert.pem', status}),
    ])

    expect(seen).toMatchObject({type: 'secrets', items: [{name: 'default'}]})
    expect(unread).toMatchObject({
      type: 'unusable',
      failure: {
        code: 'file-unreadable',
        message: `Cannot read the certificate file from /c/root-cert.pem: ${words}`,
        hint: expect.stringMatching(/log|agent-metrics/u),
      },
    })
  },
)

test('a PEM or DER file that the user gives bears the name that was given', async () => {
  const [seen] = await read('agent-files', [fixturePart('x509/leaf.der')], 'file', {fileSecretName: 'edge'})

  expect(seen).toMatchObject({items: [{name: 'edge', certificates: [{serial: '5c1d7e90a2b34455667788990a1b2c3d'}]}]})
})

test.each([
  ['hello', 'bad-payload'],
  ['', 'empty-answer'],
])('a file that holds %j is no certificate file', async (content, code) => {
  expect(await read('agent-files', [partOf(content)], 'file')).toMatchObject([{failure: {code}}])
})

test('a node agent tells for each secret whose proxy holds it, and when it was made', async () => {
  const [seen] = await read('node-agent-debug', [fixturePart('agent-newer-proxy-stale/agent.json')])

  expect(seen).toMatchObject({
    complete: true,
    node: {pod: 'cart-7d9f6c5b8-x2k4q', namespace: 'shop'},
    items: [
      {
        name: 'default',
        destination: 'sidecar~10.20.3.14~cart-7d9f6c5b8-x2k4q.shop~shop.svc.cluster.local',
        createdMs: Date.parse('2026-06-01T06:00:01Z'),
      },
      {name: 'ROOTCA', type: 'CA'},
    ],
  })
})

test('a node agent that serves several pods speaks for none of them alone', async () => {
  const [seen] = await read('node-agent-debug', [
    partOf(JSON.stringify({clients: [client('web-1'), client('web-10')]})),
  ])

  expect(seen).not.toHaveProperty('node')
  expect(seen).toMatchObject({items: [{}, {}]})
  expect(JSON.stringify(seen)).not.toContain('createdMs')
})

test.each([
  ['{"clients":[]}', 'secrets | agent | node-agent-debug | not complete'],
  ['{"configs":[]}', expect.stringContaining('| bad-payload |')],
  ['[]', expect.stringContaining('| bad-payload |')],
  [
    'curl: (7) Failed to connect to localhost port 8080: Connection refused',
    expect.stringContaining('| bad-payload |'),
  ],
])('a node agent that answers %s', async (body, first) => {
  expect(factsOf(await read('node-agent-debug', [partOf(body)]))[0]).toEqual(first)
})
