import {tmpdir} from 'node:os'
import {generateKeyPairSync} from 'node:crypto'
import {expect, test} from '@jest/globals'
import type {WebSocket} from 'ws'
import {type AnswererOptions, createAnswerer} from '../../../src/lib/cluster/routes/answerer.ts'
import type {Answerer, Conversation} from '../../../src/lib/domain/access.ts'
import type {Answer} from '../../../src/lib/domain/answer.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import type {HttpForm, Question} from '../../../src/lib/domain/question.ts'
import {
  announce,
  failureOf,
  fakeKubelet,
  type FakeKubelet,
  forwardTo,
  frame,
  localServer,
  never,
  POD,
  type Scripted,
  streamFixture,
  textOf,
} from './fake-kubelet.ts'

const NOW_MS = 1_780_000_000_000

const METRICS: HttpForm = {type: 'http', port: 15020, paths: ['/metrics'], bindsToPod: true, refusals: []}

const QUESTION: Question = {
  source: 'agent-metrics',
  side: 'agent',
  container: 'istio-proxy',
  forms: [METRICS],
  routes: ['port-forward', 'pod-proxy', 'exec'],
  maxBytes: 1_000_000,
}

const FORBIDDEN: Scripted = {status: 403, body: streamFixture('refusals/portforward.json')}

function status(code: number, message: string): Scripted {
  const headers = {'content-type': 'application/json'}
  return {status: code, headers, body: JSON.stringify({kind: 'Status', apiVersion: 'v1', message, code})}
}

function answererOf(kubelet: FakeKubelet, options: Partial<AnswererOptions> = {}): Answerer & {notices: string[]} {
  const notices: string[] = []
  const answerer = createAnswerer(kubelet.session, {
    via: 'auto',
    notice: (text) => notices.push(text),
    nowMs: () => NOW_MS,
    tempDir: tmpdir(),
    ...options,
  })
  return {...answerer, notices}
}

async function partsOf(answer: Answer): Promise<[path: string, status: number, text: string][]> {
  const parts: [string, number, string][] = []
  for await (const {path, status, body} of answer.parts) parts.push([path, status, await textOf(body)])
  return parts
}

async function ask(conversation: Conversation, question = QUESTION, signal = never()): Promise<string> {
  const answer = await conversation.ask(question, signal)
  const parts = await partsOf(answer)
  return `${answer.route}: ${parts.map(([, , text]) => text).join()}`
}

function maskable(path: string): HttpForm {
  return {...METRICS, paths: [path], refusals: [400]}
}

function configMap(name: string): Question {
  const path = `/api/v1/namespaces/shop/configmaps/${name}`
  return {...QUESTION, source: 'published-root', forms: [{type: 'api', path}], routes: ['api']}
}

function execPrints(text: string) {
  return (socket: WebSocket): void => {
    socket.send(frame(1, text))
    socket.send(frame(3, '{"status":"Success"}'))
    socket.close(1000)
  }
}

test('nothing is dialled before the first question', async () => {
  await using kubelet = await fakeKubelet({})

  const conversation = answererOf(kubelet).open(POD, [15000])
  await conversation[Symbol.asyncDispose]()

  expect(kubelet.asked).toEqual([])
})

test('an answer says its question, form and route, and its parts come in order', async () => {
  await using server = await localServer((request, response) => response.end(`at ${request.url}`))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])
  const question: Question = {...QUESTION, forms: [{...METRICS, paths: ['/a', '/b']}]}

  const answer = await conversation.ask(question, never())

  expect(answer).toMatchObject({question, form: 0, route: 'port-forward'})
  expect(await partsOf(answer)).toEqual([
    ['/a', 200, 'at /a'],
    ['/b', 200, 'at /b'],
  ])
  expect(kubelet.asked).toHaveLength(1)
})

test('a part that is left unread lets the next one come', async () => {
  await using server = await localServer((request, response) => {
    response.end(request.url === '/a' ? Buffer.alloc(4 * 1024 * 1024) : 'b')
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const answer = await conversation.ask({...QUESTION, forms: [{...METRICS, paths: ['/a', '/b']}]}, never())
  const texts: string[] = []
  for await (const {path, body} of answer.parts) if (path === '/b') texts.push(await textOf(body))

  expect(texts).toEqual(['b'])
})

test('a refused form leads to the next on the same connection, and the last one stands as it is', async () => {
  await using server = await localServer((request, response) => {
    response.statusCode = request.url === '/whole' ? 200 : 400
    response.end(request.url)
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const whole = await conversation.ask(
    {...QUESTION, forms: [maskable('/mask'), maskable('/resource'), maskable('/whole')]},
    never(),
  )
  const refused = await conversation.ask({...QUESTION, forms: [maskable('/mask'), maskable('/resource')]}, never())

  expect([whole.form, await partsOf(whole)]).toEqual([2, [['/whole', 200, '/whole']]])
  expect([refused.form, await partsOf(refused)]).toEqual([1, [['/resource', 400, '/resource']]])
  expect(server.connections()).toBe(1)
})

test('an HTTP status that is no refusal is the answer, and leads nowhere', async () => {
  await using server = await localServer((_request, response) => {
    response.statusCode = 503
    response.end('busy')
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const answer = await conversation.ask(QUESTION, never())

  expect(await partsOf(answer)).toEqual([['/metrics', 503, 'busy']])
})

test('where forwarding is forbidden the pod proxy is asked, and forwarding not again in that namespace', async () => {
  await using kubelet = await fakeKubelet({refuse: () => FORBIDDEN, get: () => ({status: 200, body: 'metrics'})})
  const answerer = answererOf(kubelet)
  await using first = answerer.open(POD, [15020])
  await using second = answerer.open({...POD, name: 'cart-2'}, [15020])
  await using elsewhere = answerer.open({...POD, namespace: 'stage'}, [15020])

  expect(await ask(first)).toBe('pod-proxy: metrics')
  expect(await ask(second)).toBe('pod-proxy: metrics')
  expect(await ask(elsewhere)).toBe('pod-proxy: metrics')

  expect(kubelet.asked).toEqual([
    '/api/v1/namespaces/shop/pods/cart-1/portforward?ports=15020',
    '/api/v1/namespaces/shop/pods/cart-1:15020/proxy/metrics',
    '/api/v1/namespaces/shop/pods/cart-2:15020/proxy/metrics',
    '/api/v1/namespaces/stage/pods/cart-1/portforward?ports=15020',
    '/api/v1/namespaces/stage/pods/cart-1:15020/proxy/metrics',
  ])
  expect(answerer.notices[0]).toContain('Cannot forward ports of pods in shop: forbidden for user dev@acme.example')
  expect(answerer.notices).toHaveLength(2)
})

test.each<[what: string, refusal: Scripted | 'hang']>([
  ['is refused its upgrade', {status: 400, body: 'Upgrade required'}],
  ['meets a gateway', {status: 403, headers: {'content-type': 'text/html'}, body: '<html>'}],
  ['meets a kubelet that refuses', {status: 403, body: streamFixture('forward-errors/kubelet.txt')}],
  ['finds no way to the node', {status: 500, body: streamFixture('forward-errors/timeout.txt')}],
  ['hangs', 'hang'],
])('a forward that %s leads on', async (_what, refusal) => {
  await using kubelet = await fakeKubelet({refuse: () => refusal, get: () => ({status: 200, body: 'metrics'})})
  await using conversation = answererOf(kubelet).open(POD, [15020], NOW_MS + 90)

  expect(await ask(conversation)).toBe('pod-proxy: metrics')
  expect(await ask(conversation)).toBe('pod-proxy: metrics')
  expect(kubelet.asked.filter((path) => path.includes('portforward'))).toHaveLength(1)
})

test('a node without socat leads on', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.send(frame(1, 'unable to do port forwarding: socat not found'))
      socket.close(1000)
    },
    exec: execPrints('by exec'),
  })
  await using conversation = answererOf(kubelet).open(POD, [15000])

  const question: Question = {...QUESTION, forms: [{...METRICS, port: 15000, bindsToPod: false}]}

  expect(await ask(conversation, question)).toBe('exec: by exec')
})

test('a closed port does not lead on', async () => {
  await using kubelet = await fakeKubelet({portForward: forwardTo({}), get: () => ({status: 200, body: 'metrics'})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const failure = await failureOf(conversation.ask(QUESTION, never()))

  expect(failure).toMatchObject({side: 'agent', source: 'agent-metrics', route: 'port-forward', code: 'port-closed'})
  expect(kubelet.asked).toHaveLength(1)
})

test('where all routes fail the one that got furthest speaks, and the others stand beside it', async () => {
  await using kubelet = await fakeKubelet({
    refuse: () => FORBIDDEN,
    get: () => status(503, 'error trying to reach service: dial tcp 10.0.0.7:15020: connect: connection refused'),
  })
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const failure = await failureOf(conversation.ask(QUESTION, never()))

  expect(failure).toMatchObject({
    route: 'pod-proxy',
    code: 'port-closed',
    message: 'Cannot reach port 15020 of shop/cart-1 through the pod proxy: connection refused',
  })
  expect(failure.hint).toContain('Also tried port-forward: Cannot forward ports of pods in shop: forbidden')
})

test('where each way is forbidden the first one speaks', async () => {
  const proxy = status(403, 'pods "cart-1" is forbidden: User "dev" cannot get resource "pods/proxy"')
  await using kubelet = await fakeKubelet({refuse: () => FORBIDDEN, get: () => proxy})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const failure = await failureOf(conversation.ask(QUESTION, never()))
  const again = await failureOf(conversation.ask(QUESTION, never()))

  expect(failure).toMatchObject({route: 'port-forward', code: 'forbidden'})
  expect(failure.hint).toMatch(/Also tried pod-proxy: Cannot use the pod proxy to pods in shop: .*; exec: /)
  expect(again).toEqual(failure)
  expect(kubelet.asked).toHaveLength(3)
})

test.each<['port-forward' | 'exec' | 'pod-proxy']>([['port-forward'], ['exec'], ['pod-proxy']])(
  'with --via %s no other way is asked',
  async (via) => {
    await using server = await localServer((_request, response) => response.end('metrics'))
    await using kubelet = await fakeKubelet({
      portForward: forwardTo({15020: server.port}),
      exec: execPrints('metrics'),
      get: () => ({status: 200, body: 'metrics'}),
    })
    await using conversation = answererOf(kubelet, {via}).open(POD, [15020])

    expect(await ask(conversation)).toBe(`${via}: metrics`)
    expect(kubelet.asked).toHaveLength(1)
  },
)

test('a question that no allowed way can carry says why, and asks nothing', async () => {
  await using kubelet = await fakeKubelet({})
  await using conversation = answererOf(kubelet, {via: 'pod-proxy'}).open(POD, [15000])
  const admin: HttpForm = {...METRICS, port: 15000, bindsToPod: false}

  const failure = await failureOf(conversation.ask({...QUESTION, forms: [admin]}, never()))

  expect(failure).toMatchObject({
    code: 'no-source',
    message:
      'Cannot ask shop/cart-1 for agent-metrics: pod-proxy: port 15000 listens on loopback, which the pod proxy does not reach',
  })
  expect(kubelet.asked).toEqual([])
})

test('forms that a way cannot carry are passed over on it', async () => {
  await using kubelet = await fakeKubelet({refuse: () => FORBIDDEN, get: () => ({status: 200, body: 'metrics'})})
  await using conversation = answererOf(kubelet).open(POD, [15020])
  const socket: HttpForm = {...METRICS, socket: '/admin.sock'}

  const answer = await conversation.ask({...QUESTION, forms: [socket, METRICS]}, never())

  expect(answer).toMatchObject({route: 'pod-proxy', form: 1})
})

test('an API object comes by the API whatever --via says; one that is absent is an answer', async () => {
  const path = '/api/v1/namespaces/shop/configmaps/istio-ca-root-cert'
  const question: Question = {...QUESTION, source: 'published-root', forms: [{type: 'api', path}], routes: ['api']}
  await using kubelet = await fakeKubelet({
    get: () => status(404, 'configmaps "istio-ca-root-cert" not found'),
  })
  await using conversation = answererOf(kubelet, {via: 'exec'}).open(POD, [])

  const answer = await conversation.ask(question, never())

  expect(await partsOf(answer)).toMatchObject([[path, 404, expect.stringContaining('not found')]])
})

test('an API object that is forbidden is a failure, and others are still asked', async () => {
  await using kubelet = await fakeKubelet({
    get: (path) => (path.endsWith('a') ? status(403, 'x is forbidden: User "ci" cannot') : {status: 200, body: '{}'}),
  })
  await using conversation = answererOf(kubelet).open(POD, [])

  const failure = await failureOf(conversation.ask(configMap('a'), never()))

  expect(failure.message).toBe('Cannot get configmaps/a in shop: forbidden for user ci')
  expect(await ask(conversation, configMap('b'))).toBe('api: {}')
})

test.each<[answer: Scripted, code: string]>([
  [status(503, 'error trying to reach service: dial tcp 10.0.0.7:15020: i/o timeout'), 'node-unreachable'],
  [{status: 503, body: "Error trying to reach service: 'EOF'"}, 'connection-lost'],
  [status(404, 'pods "cart-1" not found'), 'pod-gone'],
  [status(401, 'Unauthorized'), 'unauthorized'],
])('what the API server says through the pod proxy is no answer of the pod: %j', async (scripted, code) => {
  await using kubelet = await fakeKubelet({get: () => scripted})
  await using conversation = answererOf(kubelet, {via: 'pod-proxy'}).open(POD, [15020])

  expect((await failureOf(conversation.ask(QUESTION, never()))).code).toBe(code)
})

test.each<Scripted>([
  {status: 503, body: 'no healthy upstream'},
  {status: 404, body: ''},
  {status: 500, headers: {'content-type': 'application/json'}, body: '{"kind":"Error"}'},
])('what the pod says through the pod proxy is its answer: %j', async (scripted) => {
  await using kubelet = await fakeKubelet({get: () => scripted})
  await using conversation = answererOf(kubelet, {via: 'pod-proxy'}).open(POD, [15020])

  const answer = await conversation.ask(QUESTION, never())

  expect(await partsOf(answer)).toEqual([['/metrics', scripted.status, scripted.body]])
})

test('key material is taken out on every way', async () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({type: 'pkcs8', format: 'pem'})
  const key = pem.toString()
  const [, secret = ''] = key.split('\n')
  await using server = await localServer((_request, response) => response.end(key))
  await using kubelet = await fakeKubelet({
    portForward: forwardTo({15020: server.port}),
    exec: execPrints(key),
    get: () => ({status: 200, body: key}),
  })

  for (const via of ['port-forward', 'exec', 'pod-proxy'] as const) {
    await using conversation = answererOf(kubelet, {via}).open(POD, [15020])
    const text = await ask(conversation)

    expect(text).toContain('REMOVED A PRIVATE KEY')
    expect(text).not.toContain(secret)
  }
})

test('an answer is bounded, by the bytes that came off the wire', async () => {
  await using server = await localServer((_request, response) => response.end('x'.repeat(2000)))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const answer = await conversation.ask({...QUESTION, maxBytes: 1999}, never())

  expect(await failureOf(partsOf(answer))).toMatchObject({
    source: 'agent-metrics',
    route: 'port-forward',
    code: 'too-large',
    message: 'Answer of /metrics of shop/cart-1 is larger than 1999 bytes',
  })
})

test('a body that breaks says whose it was', async () => {
  await using server = await localServer((_request, response) => {
    response.writeHead(200, {'content-length': '10'})
    response.write('begun', () => response.destroy())
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const answer = await conversation.ask(QUESTION, never())

  expect(await failureOf(partsOf(answer))).toMatchObject({
    side: 'agent',
    source: 'agent-metrics',
    route: 'port-forward',
    code: 'cut-off',
  })
})

test.each([
  ['dialling', {refuse: () => 'hang' as const}],
  ['waiting for the answer', {portForward: announce}],
])('a deadline that passes while %s is a timeout', async (_what, script) => {
  await using kubelet = await fakeKubelet(script)
  await using conversation = answererOf(kubelet, {via: 'port-forward'}).open(POD, [15020])

  const failure = await failureOf(conversation.ask(QUESTION, AbortSignal.timeout(20)))

  expect(failure).toMatchObject({
    code: 'timeout',
    message: 'No whole answer of agent-metrics of shop/cart-1 by port-forward before the deadline',
  })
})

test('a deadline that passes on a later way tells of the earlier ones', async () => {
  await using kubelet = await fakeKubelet({refuse: () => FORBIDDEN, get: () => 'hang'})
  await using conversation = answererOf(kubelet).open(POD, [15020])
  const question: Question = {...QUESTION, routes: ['port-forward', 'pod-proxy']}

  const failure = await failureOf(conversation.ask(question, AbortSignal.timeout(20)))

  expect(failure).toMatchObject({code: 'timeout', route: 'pod-proxy'})
  expect(failure.hint).toContain('port-forward: Cannot forward ports of pods in shop: forbidden')
})

test('a deadline that passes within a body is a timeout', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.once('message', () => socket.send(frame(0, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nbegun')))
    },
  })
  await using conversation = answererOf(kubelet).open(POD, [15020])

  const answer = await conversation.ask(QUESTION, AbortSignal.timeout(50))

  expect((await failureOf(partsOf(answer))).code).toBe('timeout')
})

test('an interruption is thrown on as it is', async () => {
  await using kubelet = await fakeKubelet({refuse: () => 'hang'})
  await using conversation = answererOf(kubelet).open(POD, [15020])
  const stop = new AbortController()
  const reason = new Error('Ctrl-C')

  const asked = conversation.ask(QUESTION, stop.signal)
  stop.abort(reason)

  await expect(asked).rejects.toBe(reason)
})

test('leaving a conversation ends its streams, its dials, and what is under way', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
    },
  })
  const conversation = answererOf(kubelet).open(POD, [15020])
  const asked = conversation.ask(QUESTION, never())
  while (kubelet.asked.length === 0) await Promise.resolve()

  await conversation[Symbol.asyncDispose]()

  expect((await failureOf(asked)).code).toBe('connection-lost')
  await kubelet.allClosed()
})

test('questions to several ports may be asked side by side over one socket', async () => {
  await using admin = await localServer((_request, response) => response.end('dump'))
  await using agent = await localServer((_request, response) => response.end('metrics'))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: admin.port, 15020: agent.port})})
  const pod: Pod = {...POD, name: 'cart-3'}
  await using conversation = answererOf(kubelet).open(pod, [15000, 15020], NOW_MS + 10_000)
  const dump: Question = {...QUESTION, source: 'envoy-config-dump', forms: [{...METRICS, port: 15000}]}

  const answers = await Promise.all([ask(conversation), ask(conversation, dump), ask(conversation, dump)])

  expect(answers).toEqual(['port-forward: metrics', 'port-forward: dump', 'port-forward: dump'])
  expect(kubelet.asked).toEqual(['/api/v1/namespaces/shop/pods/cart-3/portforward?ports=15000&ports=15020'])
})
