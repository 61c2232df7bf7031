import {expect, jest, test} from '@jest/globals'
import type {WebSocket} from 'ws'
import type {RawAnswer} from '../../../src/lib/cluster/streams/raw-answer.ts'
import {PortForwardRoute} from '../../../src/lib/cluster/routes/route-port-forward.ts'
import type {HttpForm} from '../../../src/lib/domain/question.ts'
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
  textOf,
} from './fake-kubelet.ts'

const NOW_MS = 1_780_000_000_000

function routeTo(kubelet: FakeKubelet, ports: readonly number[] = [15000]): PortForwardRoute & Disposable {
  const route = new PortForwardRoute(kubelet.session, POD, ports, () => NOW_MS)
  return Object.assign(route, {[Symbol.dispose]: () => route.close()})
}

interface Asking {
  readonly port?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly dialBudgetMs?: number
}

function get(route: PortForwardRoute, path: string, asking: Asking = {}): Promise<RawAnswer> {
  const {port = 15000, headers, signal = never(), dialBudgetMs} = asking
  const form: HttpForm = {type: 'http', port, paths: [path], bindsToPod: false, refusals: [], ...(headers && {headers})}
  return route.get({
    form,
    path,
    container: 'istio-proxy',
    signal,
    dialBudgetMs: () => dialBudgetMs,
    timeLeftMs: () => 10_000,
  })
}

/** Answers each request over the port with the frames given, the socket left open. */
function speaks(...answers: readonly string[]) {
  return {
    portForward(socket: WebSocket, ports: readonly number[], count: number) {
      announce(socket, ports)
      socket.once('message', () => socket.send(frame(0, answers[count - 1] ?? answers.at(-1) ?? '')))
    },
  }
}

test('an answer comes with its status, type and the clock of both sides', async () => {
  await using server = await localServer((_request, response) => {
    response.writeHead(200, {'content-type': 'application/json', date: 'Mon, 01 Jun 2026 12:00:00 GMT'})
    response.end('{"configs":[]}')
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const answer = await get(route, '/config_dump?mask=x')

  expect(answer).toMatchObject({
    status: 200,
    contentType: 'application/json',
    dateMs: Date.parse('2026-06-01T12:00:00Z'),
    receivedMs: NOW_MS,
  })
  expect(await textOf(answer.body)).toBe('{"configs":[]}')
})

test('the request is plain, for localhost, and carries the headers of the form', async () => {
  await using server = await localServer((request, response) => response.end(JSON.stringify(request.headers)))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  using route = routeTo(kubelet, [15020])

  const answer = await get(route, '/metrics', {port: 15020, headers: {'x-prometheus-scrape-timeout-seconds': '1'}})

  expect(JSON.parse(await textOf(answer.body))).toEqual({
    host: 'localhost',
    'accept-encoding': 'identity',
    'x-prometheus-scrape-timeout-seconds': '1',
    connection: 'keep-alive',
  })
})

test('requests to one port share a connection, and ports share a socket', async () => {
  await using server = await localServer((request, response) => response.end(request.url))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port, 15020: server.port})})
  using route = routeTo(kubelet, [15000, 15020])

  const asked = [
    get(route, '/a').then(({body}) => textOf(body)),
    get(route, '/b').then(({body}) => textOf(body)),
    get(route, '/c', {port: 15020}).then(({body}) => textOf(body)),
  ]

  expect(await Promise.all(asked)).toEqual(['/a', '/b', '/c'])
  expect(server.connections()).toBe(2)
  expect(kubelet.asked).toHaveLength(1)
})

test('a small answer that nobody reads does not hold up the next', async () => {
  await using server = await localServer((request, response) => response.end(request.url))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const unread = await get(route, '/a')
  const next = await get(route, '/b')

  expect(await textOf(next.body)).toBe('/b')
  expect(await textOf(unread.body)).toBe('/a')
})

test('a large answer that is let go does not hold up the next', async () => {
  await using server = await localServer((request, response) => {
    response.end(request.url === '/large' ? Buffer.alloc(8 * 1024 * 1024) : request.url)
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const large = await get(route, '/large')
  large.discard()
  const next = await get(route, '/b')

  expect(await textOf(next.body)).toBe('/b')
  expect(kubelet.asked).toHaveLength(2)
})

test('a connection that the other end closes is opened anew', async () => {
  await using server = await localServer((request, response) => {
    response.writeHead(200, {connection: 'close'})
    response.end(request.url)
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const first = await textOf((await get(route, '/a')).body)
  const second = await textOf((await get(route, '/b')).body)

  expect([first, second]).toEqual(['/a', '/b'])
  expect(kubelet.asked).toHaveLength(2)
})

test('an unforeseen port has a socket of its own', async () => {
  await using server = await localServer((request, response) => response.end(request.url))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port, 9001: server.port})})
  using route = routeTo(kubelet)

  await textOf((await get(route, '/a')).body)
  await textOf((await get(route, '/b', {port: 9001})).body)

  expect(kubelet.asked.map((path) => path.split('?')[1])).toEqual(['ports=15000', 'ports=9001'])
})

test('an answer without a length is asked again on a socket of its own, where its end can be told', async () => {
  await using server = await localServer((request, response) => {
    response.socket?.end(`HTTP/1.0 200 OK\r\n\r\n${request.url}`)
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port, 15020: server.port})})
  using route = routeTo(kubelet, [15000, 15020])

  const answer = await get(route, '/a')

  expect(await textOf(answer.body)).toBe('/a')
  expect(kubelet.asked.map((path) => path.split('?')[1])).toEqual(['ports=15000&ports=15020', 'ports=15000'])
})

test('a closed port fails at once, with its cause', async () => {
  await using server = await localServer((_request, response) => response.end('up'))
  await using kubelet = await fakeKubelet({portForward: forwardTo({15020: server.port})})
  using route = routeTo(kubelet, [15000, 15020])

  const failure = await failureOf(get(route, '/config_dump'))
  const other = await get(route, '/metrics', {port: 15020})

  expect(failure).toMatchObject({
    code: 'port-closed',
    message: 'Cannot reach port 15000 of shop/cart-1: connection refused',
  })
  expect(await textOf(other.body)).toBe('up')
  expect(kubelet.asked).toHaveLength(1)
})

test('a connection lost before an answer is tried once more', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports, count) {
      announce(socket, ports)
      socket.once('message', () => {
        if (count === 1) socket.terminate()
        else socket.send(frame(0, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
      })
    },
  })
  using route = routeTo(kubelet)

  const answer = await get(route, '/ready')

  expect(await textOf(answer.body)).toBe('ok')
  expect(kubelet.asked).toHaveLength(2)
})

test('a connection lost twice is a failure that tells how', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.once('message', () => socket.close(1011, 'no more'))
    },
  })
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, '/ready'))

  expect(failure.code).toBe('connection-lost')
  expect(failure.message).toContain('closed with 1011 (no more)')
  expect(kubelet.asked).toHaveLength(2)
})

test('an answer cut off in the middle names the bytes that came and those that were to come', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.once('message', () => {
        socket.send(frame(0, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"configs'))
        socket.send(frame(1, 'lost connection to pod'))
        socket.close(1000)
      })
    },
  })
  using route = routeTo(kubelet)

  const answer = await get(route, '/config_dump')
  const failure = await failureOf(textOf(answer.body))

  expect(failure).toMatchObject({
    code: 'cut-off',
    message: 'Answer of port 15000 of shop/cart-1 cut off after 9 of 100 bytes',
    hint: 'Try again; how it ended: Cannot reach port 15000 of shop/cart-1: the connection was lost',
  })
})

test('the part of a cut-off answer that came is handed on before the failure', async () => {
  await using server = await localServer((_request, response) => {
    response.writeHead(200, {'content-length': '10'})
    response.write('begun', () => response.destroy())
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const chunks: string[] = []
  const answer = await get(route, '/x')
  const reading = (async () => {
    for await (const chunk of answer.body) chunks.push(Buffer.from(chunk).toString())
  })()

  expect((await failureOf(reading)).message).toContain('after 5 of 10 bytes')
  expect(chunks.join('')).toBe('begun')
})

test('a chunked answer that is cut off names the bytes that came', async () => {
  await using server = await localServer((_request, response) => {
    response.writeHead(200)
    response.write('begun', () => response.destroy())
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const answer = await get(route, '/x')

  expect((await failureOf(textOf(answer.body))).message).toBe(
    'Answer of port 15000 of shop/cart-1 cut off after 5 bytes',
  )
})

test('an answer without a length is cut off where its socket breaks', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.once('message', () => {
        socket.send(frame(0, 'HTTP/1.0 200 OK\r\n\r\nhalf'), () => socket.terminate())
      })
    },
  })
  using route = routeTo(kubelet)

  const answer = await get(route, '/x')

  expect((await failureOf(textOf(answer.body))).code).toBe('cut-off')
})

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9\r\n', 'bad-payload', 'it is not HTTP'],
  [
    'an endless head',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    'too-large',
    'its head is longer than 65536 bytes',
  ],
  [
    'compression',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\nx',
    'bad-payload',
    'was not asked for',
  ],
])('an answer with %s is refused', async (_what, answer, code, says) => {
  await using kubelet = await fakeKubelet(speaks(answer))
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, '/config_dump'))

  expect(failure.code).toBe(code)
  expect(failure.message).toContain(says)
})

test('a redirect is an answer, and is not followed', async () => {
  await using server = await localServer((_request, response) => {
    response.writeHead(302, {location: 'http://192.0.2.1/'})
    response.end()
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  expect((await get(route, '/')).status).toBe(302)
})

test('a huge answer into a slow reader arrives whole', async () => {
  const megabytes = 24
  await using server = await localServer((_request, response) => {
    let left = megabytes
    const more = (): void => {
      if (left === 0) response.end()
      else response.write(Buffer.alloc(1024 * 1024, 'x'), more)
      left -= 1
    }
    more()
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  let length = 0
  for await (const chunk of (await get(route, '/stats')).body) {
    length += chunk.length
    await turn()
  }

  expect(length).toBe(megabytes * 1024 * 1024)
})

test('an answer that nobody reads holds its sender back', async () => {
  const megabytes = 40
  let sent = 0
  await using server = await localServer((_request, response) => {
    const more = (): void => {
      sent += 1
      if (sent > megabytes) response.end()
      else response.write(Buffer.alloc(1024 * 1024, 'x'), more)
    }
    more()
  })
  await using kubelet = await fakeKubelet({portForward: forwardTo({15000: server.port})})
  using route = routeTo(kubelet)

  const answer = await get(route, '/stats')
  let before = -1
  while (sent > before) {
    before = sent
    for (let turns = 0; turns < 500; turns += 1) await turn()
  }

  expect(sent).toBeLessThan(megabytes)
  expect(await textOf(answer.body)).toHaveLength(megabytes * 1024 * 1024)
})

test.each([
  ['never answers the upgrade', {refuse: () => 'hang' as const}],
  ['opens the socket and sends nothing', {portForward: () => undefined}],
])('a server that %s has no more than the budget for dialling', async (_what, script) => {
  await using kubelet = await fakeKubelet(script)
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, '/config_dump', {dialBudgetMs: 20}))

  expect(failure).toMatchObject({stage: 'dial', code: 'timeout'})
})

test('once the node has answered, the budget for dialling is no more', async () => {
  jest.useFakeTimers({doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'Date']})
  const {promise: mayAnswer, resolve: letAnswer} = Promise.withResolvers<void>()
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      void mayAnswer.then(() => socket.send(frame(0, 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlate')))
    },
  })
  using route = routeTo(kubelet)

  const asked = get(route, '/config_dump', {dialBudgetMs: 30})
  while (jest.getTimerCount() === 0) await turn()
  while (jest.getTimerCount() > 0) await turn()
  letAnswer()

  expect(await textOf((await asked).body)).toBe('late')
  jest.useRealTimers()
})

test('every wait ends at the signal, with its reason', async () => {
  await using kubelet = await fakeKubelet({portForward: announce})
  using route = routeTo(kubelet)
  const stop = new AbortController()

  const asked = [get(route, '/a', {signal: stop.signal}), get(route, '/waits-for-its-turn', {signal: stop.signal})]
  stop.abort(new Error('enough'))

  for (const one of asked) await expect(one).rejects.toThrow('enough')
})

test('a body ends at the signal, too', async () => {
  await using kubelet = await fakeKubelet(speaks('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun'))
  using route = routeTo(kubelet)
  const stop = new AbortController()

  const answer = await get(route, '/a', {signal: stop.signal})
  const reading = textOf(answer.body)
  stop.abort(new Error('enough'))

  await expect(reading).rejects.toThrow('enough')
})

test('closing the route ends its sockets, with an answer under way', async () => {
  await using kubelet = await fakeKubelet(speaks('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun'))
  const route = routeTo(kubelet)
  const answer = await get(route, '/a')

  route.close()
  await kubelet.allClosed()

  expect((await failureOf(textOf(answer.body))).code).toBe('cut-off')
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
