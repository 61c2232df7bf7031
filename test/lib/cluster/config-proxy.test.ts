import http from 'node:http'
import net, {type Socket} from 'node:net'
import {text} from 'node:stream/consumers'
import {afterEach, expect, test} from '@jest/globals'
import {WebSocketServer} from 'ws'
import {z} from 'zod'
import {chooseProxy, showProxy} from '../../../src/lib/cluster/connect/choose-proxy.ts'
import {
  answerJson,
  Ends,
  never,
  openTestSession,
  portOf,
  readFixture,
  startServer,
  thrownBy,
} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

const CASES = z
  .array(
    z.object({
      url: z.string(),
      env: z.record(z.string(), z.string()),
      proxy_url: z.string().nullable(),
      expect: z.string().nullable(),
    }),
  )
  .parse(JSON.parse(readFixture('proxies/table.json')))

test.each(CASES)(
  'the proxy for $url with $env and proxy-url $proxy_url is $expect',
  ({url, env, proxy_url, expect: expected}) => {
    const proxy = chooseProxy(new URL(url), env, proxy_url ?? undefined)

    expect(proxy === undefined ? null : showProxy(proxy)).toBe(expected)
  },
)

test.each([
  ['http://127.0.0.1:40001/config_dump', {HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1'}, undefined],
  ['http://localhost:8001', {HTTP_PROXY: 'http://p:1'}, undefined],
  ['http://api.test', {HTTP_PROXY: 'p:1'}, 'http://p:1'],
  ['http://api.test', {HTTP_PROXY: 'p:1', REQUEST_METHOD: 'GET'}, undefined],
  ['https://a.api.test', {HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.api.test'}, undefined],
  ['https://api.test', {HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.api.test'}, 'http://p:1'],
  ['https://api.test', {HTTPS_PROXY: 'http://p:1', no_proxy: 'API.test:443'}, undefined],
  ['https://10.0.0.1', {HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.2,10.0.0.0/99,:443,,'}, 'http://p:1'],
  ['https://[fd00::1]:6443', {HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::1]:6443'}, undefined],
])('the environment proxy for %s with %j is %s', (url, env, expected) => {
  const proxy = chooseProxy(new URL(url), env)

  expect(proxy && showProxy(proxy)).toBe(expected)
})

test('a proxy is shown without its password', () => {
  const proxy = chooseProxy(new URL('https://api.test'), {}, 'http://ci:hunter2@proxy.test:3128')

  expect(proxy && showProxy(proxy)).toBe('http://ci:***@proxy.test:3128')
})

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.add(() => server.close())
  return portOf(server)
}

/** An HTTP proxy that leads every tunnel to one port, and notes what it was asked for. */
async function startProxy(target: number, status = 200): Promise<{url: string; asked: string[]}> {
  const asked: string[] = []
  const proxy = http.createServer()
  proxy.on('connect', (request, socket: Socket, head) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    socket.on('error', () => undefined)
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const onward = net.connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => undefined)
    ends.add(() => {
      onward.destroy()
      socket.destroy()
    })
  })
  return {url: `127.0.0.1:${await listen(proxy)}`, asked}
}

test('requests and upgrades go through the same proxy, with its login', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const sockets = new WebSocketServer({noServer: true})
  server.server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => undefined))
  const proxy = await startProxy(server.port)
  const session = await openTestSession(ends, 'https://api.test:6443', {
    cluster: {'proxy-url': `http://ci:p%40ss@${proxy.url}`},
  })

  await text((await session.get('/version', {signal: never()})).body)
  const socket = await session.upgrade('/x', [], never())
  socket.terminate()

  const login = `Basic ${Buffer.from('ci:p@ss').toString('base64')}`
  expect(proxy.asked).toEqual([`api.test:6443 ${login}`, `api.test:6443 ${login}`])
})

test('a proxy of the environment is used too', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const proxy = await startProxy(server.port)
  const session = await openTestSession(ends, 'https://api.test', {options: {env: {HTTPS_PROXY: proxy.url}}})

  await text((await session.get('/version', {signal: never()})).body)

  expect(proxy.asked).toEqual(['api.test:443'])
})

test('a proxy that refuses is named, without its password', async () => {
  const proxy = await startProxy(0, 407)
  const session = await openTestSession(ends, 'https://api.test:6443', {
    cluster: {'proxy-url': `http://ci:hunter2@${proxy.url}`},
  })

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({
    failure: {
      message: `Cannot reach https://api.test:6443 through the proxy http://ci:***@${proxy.url}: the proxy wants a login (407)`,
    },
  })
})

test('a SOCKS proxy is given the name of the server', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const asked: string[] = []
  const socks = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request) => {
        const length = request[4] ?? 0
        asked.push(`${request.toString('latin1', 5, 5 + length)}:${request.readUInt16BE(5 + length)}`)
        const onward = net.connect(server.port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
          socket.pipe(onward).pipe(socket)
        })
        onward.on('error', () => undefined)
        ends.add(() => {
          onward.destroy()
          socket.destroy()
        })
      })
    })
  })
  const port = await listen(socks)
  const session = await openTestSession(ends, 'https://api.test:6443', {
    cluster: {'proxy-url': `socks5://127.0.0.1:${port}`},
  })

  await text((await session.get('/version', {signal: never()})).body)

  expect(asked).toEqual(['api.test:6443'])
})

test('a proxy of an unknown kind ends the run in words', async () => {
  const error = await thrownBy(
    openTestSession(ends, 'https://api.test', {cluster: {'proxy-url': 'quic://ci:hunter2@proxy.test'}}),
  )

  expect(error).toMatchObject({
    exit: 4,
    message:
      'Cannot use the proxy for api.test: a proxy of the kind quic is not supported (http, https and socks5 are)',
  })
})
