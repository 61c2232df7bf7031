import {writeFileSync} from 'node:fs'
import type {IncomingMessage} from 'node:http'
import net from 'node:net'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {TLSSocket} from 'node:tls'
import {gzipSync} from 'node:zlib'
import {afterEach, expect, test} from '@jest/globals'
import {WebSocketServer} from 'ws'
import {
  answerJson,
  Ends,
  fixture,
  makeDeps,
  makeOptions,
  never,
  openTestSession,
  portOf,
  readFixture,
  startServer,
  thrownBy,
} from './scripted-server.ts'
import {openSessions} from '../../../src/lib/cluster/connect/open-sessions.ts'

const ends = new Ends()
afterEach(() => ends.run())

test('many requests go over one kept connection, with the token and without a redirect', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {ok: true}))
  const session = await openTestSession(ends, server.url, {user: {token: 'token-abc'}})

  for (let i = 0; i < 3; i += 1) await text((await session.get('/version', {signal: never()})).body)

  expect(server.connections()).toBe(1)
  expect(server.seen.map(({headers}) => headers.authorization)).toEqual(Array(3).fill('Bearer token-abc'))
})

test('a further connection takes up the TLS session of the one before', async () => {
  const resumed: boolean[] = []
  const server = await startServer(ends, ({socket}, response) => {
    resumed.push(socket instanceof TLSSocket && socket.isSessionReused())
    answerJson(response, {}, 200, {connection: 'close'})
  })
  const session = await openTestSession(ends, server.url)

  for (let i = 0; i < 3; i += 1) await text((await session.get('/version', {signal: never()})).body)

  expect(server.connections()).toBe(3)
  expect(resumed).toEqual([false, true, true])
})

test('a compressed body comes out decompressed', async () => {
  const server = await startServer(ends, (_request, response) => {
    response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('{"a": 1}'))
  })
  const session = await openTestSession(ends, server.url)

  const response = await session.get('/version', {signal: never()})

  expect(await text(response.body)).toBe('{"a": 1}')
  expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip')
})

test('the base path of the server stands before every path', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openTestSession(ends, `${server.url}/k8s/clusters/c-1/`)

  await text((await session.get('/version?x=1', {signal: never()})).body)

  expect(server.seen[0]?.path).toBe('/k8s/clusters/c-1/version?x=1')
  expect(session.server).toBe(`${server.url}/k8s/clusters/c-1`)
})

test('impersonation sends user, uid, each group and each extra field', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openTestSession(ends, server.url, {
    user: {as: 'Zoë', 'as-uid': '7', 'as-groups': ['dev', 'ops'], 'as-user-extra': {'Acme.example/Team': ['a', 'b']}},
  })

  await text((await session.get('/version', {signal: never()})).body)

  const raw = server.seen[0]?.rawHeaders ?? []
  const pairs = raw.flatMap((name, i) =>
    i % 2 === 0 && /^impersonate/i.test(name) ? [`${name.toLowerCase()}: ${raw[i + 1]}`] : [],
  )
  expect(pairs.toSorted()).toEqual([
    'impersonate-extra-acme.example%2fteam: a',
    'impersonate-extra-acme.example%2fteam: b',
    'impersonate-group: dev',
    'impersonate-group: ops',
    'impersonate-uid: 7',
    `impersonate-user: ${Buffer.from('Zoë', 'utf8').toString('latin1')}`,
  ])
})

test('an http server is asked without any credential', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}), {certificate: 'none'})
  const session = await openTestSession(ends, server.url, {user: {token: 'token-abc'}})

  const {status, body} = await session.get('/version', {signal: never()})
  await text(body)

  expect(status).toBe(200)
  expect(server.seen[0]?.headers.authorization).toBeUndefined()
})

test('a context without a user still trusts the CA of its cluster', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const kubeconfig = path.join(ends.folder(), 'config')
  writeFileSync(
    kubeconfig,
    `current-context: x
clusters: [{name: c, cluster: {server: "${server.url}", certificate-authority: ${fixture('tls/ca.pem')}}}]
contexts: [{name: x, context: {cluster: c}}]
`,
  )
  const [session] = await openSessions(makeOptions({kubeconfig}), makeDeps())
  ends.add(() => session?.[Symbol.asyncDispose]())

  const response = await session?.get('/version', {signal: never()})

  expect(response?.status).toBe(200)
  response?.body.destroy()
})

test('a client certificate is shown', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}), {wantsClient: true})
  const session = await openTestSession(ends, server.url, {
    user: {'client-certificate': fixture('tls/client.pem'), 'client-key': fixture('tls/client-key.pem')},
  })

  await text((await session.get('/version', {signal: never()})).body)

  expect(server.seen[0]?.client).toBe('ci')
})

test.each([
  [
    'an unknown authority',
    'server',
    {'certificate-authority': undefined},
    'its certificate is signed by an unknown authority',
  ],
  ['an expired certificate', 'expired', {}, 'its certificate has expired'],
  ['another name', 'server', {'tls-server-name': 'other.test'}, 'its certificate is for another name'],
] as const)('a server with %s is refused in words', async (_what, certificate, cluster, words) => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}), {certificate})
  const session = await openTestSession(ends, server.url, {cluster})

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({failure: {stage: 'dial', code: 'tls', message: `Cannot reach ${server.url}: ${words}`}})
  expect(server.seen).toEqual([])
})

test('insecure-skip-tls-verify and tls-server-name let a server in that would be refused', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}), {certificate: 'expired'})
  const insecure = await openTestSession(ends, server.url, {options: {insecureSkipTlsVerify: true}})
  const named = await startServer(ends, (_request, response) => answerJson(response, {}))
  const byName = await openTestSession(ends, named.url, {options: {tlsServerName: 'api.test'}})

  const statuses = [await insecure.get('/a', {signal: never()}), await byName.get('/b', {signal: never()})].map(
    ({status, body}) => {
      body.destroy()
      return status
    },
  )

  expect(statuses).toEqual([200, 200])
})

test('a port where nobody listens, and one that does not speak TLS, are told apart', async () => {
  const plain = await startServer(ends, (_request, response) => answerJson(response, {}), {certificate: 'none'})
  const closed = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => {
    closed.once('listening', resolve)
  })
  const port = portOf(closed)
  await new Promise((resolve) => {
    closed.close(resolve)
  })
  const nobody = await openTestSession(ends, `https://127.0.0.1:${port}`)
  const wrong = await openTestSession(ends, `https://127.0.0.1:${plain.port}`)

  const errors = [await thrownBy(nobody.get('/', {signal: never()})), await thrownBy(wrong.get('/', {signal: never()}))]

  expect(errors[0]).toMatchObject({
    failure: {code: 'api-unavailable', message: expect.stringMatching(/connection refused$/)},
  })
  expect(errors[1]).toMatchObject({failure: {code: 'tls', message: expect.stringMatching(/does not speak TLS$/)}})
})

test('a server that takes the connection and says nothing ends at the request timeout', async () => {
  const server = await startServer(ends, () => undefined)
  const session = await openTestSession(ends, server.url, {options: {requestTimeoutMs: 50}})

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({
    failure: {stage: 'dial', code: 'timeout', message: `Cannot reach ${server.url}: no answer came in time`},
  })
})

test('a body that falls silent ends at the request timeout', async () => {
  const server = await startServer(ends, (_request, response) => {
    response.writeHead(200, {'content-length': 100}).write('half')
  })
  const session = await openTestSession(ends, server.url, {options: {requestTimeoutMs: 100}})

  const {body} = await session.get('/version', {signal: never()})
  const error = await thrownBy(text(body))

  expect(error).toMatchObject({failure: {stage: 'fetch', code: 'timeout'}})
})

test('a body that is cut off is no whole answer', async () => {
  const server = await startServer(ends, (_request, response) => {
    response.writeHead(200, {'content-length': 100}).write('half', () => response.destroy())
  })
  const session = await openTestSession(ends, server.url)

  const {body} = await session.get('/api/v1/pods?limit=1', {signal: never()})
  const error = await thrownBy(text(body))

  expect(error).toMatchObject({
    failure: {
      stage: 'fetch',
      code: 'cut-off',
      message: 'Cannot read the answer to GET /api/v1/pods: it was cut off',
      hint: 'Try again',
    },
  })
})

test('a signal ends a request that waits, with its own reason', async () => {
  const asked = Promise.withResolvers<void>()
  const server = await startServer(ends, () => asked.resolve())
  const session = await openTestSession(ends, server.url)
  const stop = new AbortController()

  const running = thrownBy(session.get('/version', {signal: stop.signal}))
  await asked.promise
  stop.abort(new Error('enough'))

  expect(await running).toMatchObject({message: 'enough'})
})

test('server warnings are handed on, whatever else the header holds', async () => {
  const server = await startServer(ends, (_request, response) =>
    answerJson(response, {}, 200, {
      Warning: ['299 - "v1beta1 Foo is \\"old\\"", 299 - "and slow"', '110 - "not ours"', 'broken'],
    }),
  )
  const deps = makeDeps()
  const session = await openTestSession(ends, server.url, {deps})

  await text((await session.get('/version', {signal: never()})).body)

  expect(deps.notices).toEqual(['v1beta1 Foo is "old"', 'and slow'])
})

test('a throttled request is sent again as the server asks, three times at most', async () => {
  const server = await startServer(ends, (request, response, count) => {
    const isThrottled = request.url === '/always' || count < 3
    answerJson(response, {}, isThrottled ? 429 : 200, {'retry-after': '0'})
  })
  const session = await openTestSession(ends, server.url)

  const first = await session.get('/twice', {signal: never()})
  await text(first.body)
  const second = await session.get('/always', {signal: never()})
  await text(second.body)

  expect([first.status, second.status]).toEqual([200, 429])
  expect(server.seen.map((seen) => seen.path)).toEqual([
    '/twice',
    '/twice',
    '/twice',
    '/always',
    '/always',
    '/always',
    '/always',
  ])
})

test('a throttled request whose wait is longer than the timeout is not waited for', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}, 429, {'retry-after': '3600'}))
  const session = await openTestSession(ends, server.url)

  const {status, body} = await session.get('/version', {signal: never()})
  body.destroy()

  expect(status).toBe(429)
  expect(server.seen).toHaveLength(1)
})

test('a refused token is an expired login, and is not shown', async () => {
  const server = await startServer(ends, (_request, response) =>
    answerJson(response, readFixture('list/forbidden/401.json'), 401),
  )
  const session = await openTestSession(ends, server.url, {user: {token: 'token-abc'}})

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({
    failure: {
      code: 'unauthorized',
      message: `Cannot log in to ${server.url}: the login of user u has expired or is not accepted (401)`,
    },
  })
  expect(JSON.stringify(error)).not.toContain('token-')
})

test("a 401 of a pod behind the pod proxy is that pod's own", async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}, 401))
  const session = await openTestSession(ends, server.url, {user: {token: 'token-abc'}})

  const {status, body} = await session.get('/api/v1/namespaces/shop/pods/cart-1:15000/proxy/certs', {signal: never()})
  body.destroy()

  expect(status).toBe(401)
})

test('a token file is read again once it is refused', async () => {
  const tokenFile = path.join(ends.folder(), 'token')
  writeFileSync(tokenFile, 'token-old\n')
  const server = await startServer(ends, (request, response) => {
    const isOld = request.headers.authorization === 'Bearer token-old'
    if (isOld) writeFileSync(tokenFile, 'token-new\n')
    answerJson(response, {}, isOld ? 401 : 200)
  })
  const session = await openTestSession(ends, server.url, {user: {tokenFile}})

  const {status, body} = await session.get('/version', {signal: never()})
  await text(body)

  expect(status).toBe(200)
  expect(server.seen.map(({headers}) => headers.authorization)).toEqual(['Bearer token-old', 'Bearer token-new'])
})

test('an upgrade opens with the same login and gives nothing before it is resumed', async () => {
  const server = await startServer(ends, () => undefined)
  const upgrades: IncomingMessage[] = []
  const sockets = new WebSocketServer({noServer: true, handleProtocols: (offered) => [...offered][0] ?? false})
  server.server.on('upgrade', (request, socket, head) => {
    upgrades.push(request)
    sockets.handleUpgrade(request, socket, head, (opened) => opened.send(Buffer.from([0, 1])))
  })
  const session = await openTestSession(ends, server.url, {user: {token: 'token-abc', as: 'sue'}})

  const socket = await session.upgrade(
    '/api/v1/namespaces/shop/pods/cart-1/portforward?ports=15000',
    ['v4.channel.k8s.io'],
    never(),
  )
  const message = new Promise((resolve) => {
    socket.once('message', resolve)
  })
  const isPaused = socket.isPaused
  socket.resume()

  expect(isPaused).toBe(true)
  expect(socket.protocol).toBe('v4.channel.k8s.io')
  expect(await message).toEqual(Buffer.from([0, 1]))
  expect(upgrades[0]?.headers).toMatchObject({authorization: 'Bearer token-abc', 'impersonate-user': 'sue'})
  socket.terminate()
})

test('a refused upgrade says what the server said', async () => {
  const server = await startServer(ends, () => undefined)
  server.server.on('upgrade', (_request, socket) => {
    const body = JSON.stringify({
      kind: 'Status',
      message: 'pods "cart-1" is forbidden: User "ci" cannot get resource "pods/exec"',
    })
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  })
  const session = await openTestSession(ends, server.url)

  const error = await thrownBy(
    session.upgrade('/api/v1/namespaces/shop/pods/cart-1/exec', ['v5.channel.k8s.io'], never()),
  )

  expect(error).toMatchObject({failure: {stage: 'dial', code: 'forbidden', message: expect.stringContaining('ci')}})
})

test('an upgrade that is never answered ends at the timeout, or with the signal', async () => {
  const server = await startServer(ends, () => undefined)
  const asked = Promise.withResolvers<void>()
  let count = 0
  server.server.on('upgrade', () => {
    count += 1
    if (count === 2) asked.resolve()
  })
  const hasty = await openTestSession(ends, server.url, {options: {requestTimeoutMs: 50}})
  const patient = await openTestSession(ends, server.url)
  const stop = new AbortController()

  const timedOut = await thrownBy(hasty.upgrade('/x', ['v4.channel.k8s.io'], never()))
  const aborted = thrownBy(patient.upgrade('/x', ['v4.channel.k8s.io'], stop.signal))
  await asked.promise
  stop.abort(new Error('enough'))

  expect(timedOut).toMatchObject({failure: {code: 'timeout'}})
  expect(await aborted).toMatchObject({message: 'enough'})
})

test('a kept connection that the server closed meanwhile is replaced without a word', async () => {
  const server = await startServer(ends, (request, response, count) => {
    if (count === 2) request.socket.destroy()
    else answerJson(response, {})
  })
  const session = await openTestSession(ends, server.url)

  await text((await session.get('/a', {signal: never()})).body)
  const {status, body} = await session.get('/b', {signal: never()})
  await text(body)

  expect(status).toBe(200)
  expect(server.seen.map((seen) => seen.path)).toEqual(['/a', '/b', '/b'])
})
