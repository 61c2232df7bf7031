import {expect, test} from '@jest/globals'
import {decode, type DecodeContext} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {AnswerPart} from '../../../../src/lib/domain/answer.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import type {Route} from '../../../../src/lib/domain/question.ts'
import {answerOf, fixturePart, partOf, RECEIVED_MS} from '../answers.ts'

const DATE_MS = RECEIVED_MS + 25_000
const certificates = createCertificateReader({maxEntries: 1})

async function read(
  part: AnswerPart,
  route: Route = 'port-forward',
  context: Partial<DecodeContext> = {},
): Promise<readonly Observation[]> {
  return decode(answerOf('agent-metrics', [part], {route, side: 'agent'}), {certificates, ...context})
}

function expiry(value: string, labels = '{resource_name="default"}'): string {
  return `# TYPE istio_agent_cert_expiry_seconds gauge\nistio_agent_cert_expiry_seconds${labels} ${value}\n`
}

test.each([
  ['port-forward', {dateMs: DATE_MS}, {}, DATE_MS, 'answer date'],
  ['port-forward', {}, {nowMs: 5}, RECEIVED_MS, 'our clock'],
  ['file', {dateMs: DATE_MS}, {nowMs: 5_000}, DATE_MS, 'answer date'],
  ['file', {}, {nowMs: 5_000}, 5_000, '--now'],
  ['file', {}, {}, RECEIVED_MS, 'file time'],
] as const)(
  'by %s with %j and %j the expiry counts from %i, the %s',
  async (route, times, context, base, countedFrom) => {
    const observations = await read(partOf(expiry('3599.7'), times), route, context)

    expect(observations).toMatchObject([{type: 'expiry', name: 'default', notAfterMs: base + 3_600_000, countedFrom}])
  },
)

test.each([
  ['-120', -120],
  ['8.64e+04', 86_400],
  ['+1E2', 100],
  ['.5', 1],
  ['60 1780272000000', 60],
])('a value of %s counts for %d whole seconds', async (value, seconds) => {
  expect(await read(partOf(expiry(value)))).toMatchObject([{notAfterMs: RECEIVED_MS + seconds * 1000}])
})

test.each(['86376.338078488', '86376.999', '86376.001'])(
  'a value of %s is counted from the second in which it was read, whatever the fraction of it',
  async (value) => {
    const observations = await read(partOf(expiry(value), {dateMs: DATE_MS}))

    expect(observations).toMatchObject([{notAfterMs: DATE_MS + 86_377_000}])
  },
)

test.each(['NaN', '+Inf', '-Inf', '1e300', 'soon', ''])('a value of %s is no expiry', async (value) => {
  expect(await read(partOf(expiry(value)))).toMatchObject([
    {type: 'unusable', failure: {code: 'bad-payload', side: 'agent', source: 'agent-metrics'}},
  ])
})

test.each([
  ['', 'default'],
  ['{}', 'default'],
  [String.raw`{a="}, b=\"x\"",resource_name="file-cert:a~b\\c\n\""}`, 'file-cert:a~b\\c\n"'],
])('labels %s name %j', async (labels, name) => {
  expect(await read(partOf(expiry('1', labels)))).toMatchObject([{type: 'expiry', name}])
})

test('each secret of the agent has its own expiry', async () => {
  const observations = await read(partOf(expiry('1', '{resource_name="a"}') + expiry('2', '{resource_name="b"}')))

  expect(observations).toMatchObject([{name: 'a'}, {name: 'b', notAfterMs: RECEIVED_MS + 2000}])
})

test('reading stops behind the series of the agent', async () => {
  let sent = 0
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${expiry('60')}istio_agent_go_threads 5\nenvoy_server_live{} 1\n`)
    for (; sent < 100; sent += 1) yield await Promise.resolve(Buffer.from('envoy_server_live{} 1\n'))
  }

  const observations = await read({...partOf(''), body: body()})

  expect(observations).toMatchObject([{type: 'expiry'}])
  expect(sent).toBe(0)
})

test('reading stops behind the last expiry, before the further series of the agent', async () => {
  let sent = 0
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${expiry('60')}istio_agent_go_threads 5\n`)
    for (; sent < 100; sent += 1) yield await Promise.resolve(Buffer.from('istio_agent_num_outgoing_requests 1\n'))
  }

  const observations = await read({...partOf(''), body: body()})

  expect(observations).toMatchObject([{type: 'expiry'}])
  expect(sent).toBe(0)
})

test('an older agent, which writes the metrics of Envoy first, is read to its own', async () => {
  expect(await read(partOf(`# HELP envoy_x x\nenvoy_x{a="b"} 1\n${expiry('60')}`))).toMatchObject([{type: 'expiry'}])
})

test('an agent with certificates from files has no expiry to compare, and that is said', async () => {
  const observations = await read(fixturePart('real-agent-filecerts/agent_15020_metrics.txt'))

  expect(observations).toMatchObject([{type: 'unusable', failure: {code: 'no-source', hint: expect.any(String)}}])
})

test.each([
  ['', 'empty-answer'],
  ['<html><title>Sign in</title></html>', 'proxy-in-between'],
  ['{"status":"ok"}', 'bad-payload'],
])('%s is no metrics', async (body, code) => {
  expect(await read(partOf(body))).toMatchObject([{type: 'unusable', failure: {code}}])
})

test('a refusal tells its status and text', async () => {
  const observations = await read(partOf('RBAC says no\n', {path: '/stats/prometheus', status: 403}))

  expect(observations).toMatchObject([
    {
      failure: {
        code: 'forbidden',
        message: 'Cannot read the metrics of the agent from /stats/prometheus: HTTP 403, RBAC says no',
      },
    },
  ])
})

test('a line without end is not collected', async () => {
  const line = 'x'.repeat(300_000)

  expect(await read(partOf(`${line}\n${expiry('60')}`))).toMatchObject([{type: 'expiry'}])
})

test('what the agent counts is read where it is wanted: failed requests, and connections that ended with an error', async () => {
  const lines = [
    'istio_agent_num_outgoing_requests{request_type="csr"} 9',
    'istio_agent_num_outgoing_requests{request_type="token"} 70',
    'istio_agent_num_failed_outgoing_requests{request_type="csr"} 4',
    'istio_agent_istiod_connection_failures 2',
    'istio_agent_istiod_connection_terminations{type="cancelled"} 30',
    'istio_agent_istiod_connection_terminations{type="error"} 1',
    'istio_agent_scrape_failures_total{type="envoy"} 5',
    'istio_agent_scrape_failures_total{type="application"} 6',
    'istio_agent_scrape_failures_total{type="agent"} NaN',
    'envoy_x 1',
    'istio_agent_istiod_connection_failures 100',
  ]

  const observations = await read(partOf(`${expiry('60')}${lines.join('\n')}`), 'port-forward', {wantsCounters: true})

  expect(observations.map((one) => (one.type === 'counters' ? one.counts : one.type))).toEqual([
    'expiry',
    {
      'csrs-sent': 9,
      'csrs-failed': 4,
      'istiod-connection-failures': 2,
      'istiod-connection-errors': 1,
      'scrape-failures': 11,
    },
  ])
})

test('an agent that never counted a thing has counted it not once; metrics of another program count nothing', async () => {
  const own = await read(partOf('istio_agent_go_threads 5\n'), 'port-forward', {wantsCounters: true})
  const other = await read(partOf('envoy_x 1\n'), 'port-forward', {wantsCounters: true})

  expect(own).toMatchObject([{type: 'counters', counts: {'csrs-failed': 0}}, {type: 'unusable'}])
  expect(other).toMatchObject([{type: 'unusable'}])
})
