import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import http, {type IncomingMessage, type ServerResponse} from 'node:http'
import https from 'node:https'
import net from 'node:net'
import {join} from 'node:path'
import type {TLSSocket} from 'node:tls'
import {afterEach, describe, expect, test} from '@jest/globals'
import {answerJson, Ends, fixture, portOf, type ScriptedServer, startServer} from '../lib/cluster/scripted-server.ts'
import {type Finished, OUTPUTS, run} from '../support/built.ts'

// What the runtimes of the two outputs do differently with connections: each test runs both.

const ends = new Ends()

afterEach(async () => await ends.run())

const CA = fixture('tls/ca.pem')

/** A kubeconfig with one server, and the environment that names it. */
function kubeconfig(server: string, cluster: object = {}, user: object = {}): Record<string, string> {
  const path = join(ends.folder(), 'config')
  const config = {
    'current-context': 'x',
    clusters: [{name: 'c', cluster: {server, 'certificate-authority': CA, ...cluster}}],
    users: [{name: 'u', user}],
    contexts: [{name: 'x', context: {cluster: 'c', user: 'u', namespace: 'shop'}}],
  }
  writeFileSync(path, JSON.stringify(config))
  return {KUBECONFIG: path}
}

/** Answers with pages of no pods, `pages` of them. */
function listing(pages = 1): (request: IncomingMessage, response: ServerResponse, count: number) => void {
  return (_request, response, count) => answerJson(response, pageOf(count < pages ? {continue: `page-${count}`} : {}))
}

function pageOf(metadata: object): object {
  return {kind: 'PodList', apiVersion: 'v1', metadata: {resourceVersion: '1', ...metadata}, items: []}
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.add(() => server.close())
  return portOf(server)
}

const LIST = ['agents', 'list', '-o', 'json', '--request-timeout', '5s']

describe.each(OUTPUTS)('%s', (_name, command) => {
  const list = async (env: Record<string, string>, ...flags: readonly string[]): Promise<Finished> =>
    await run(command, [...LIST, ...flags], env)

  describe('tells in the same words', () => {
    const cases: readonly (readonly [
      fault: string,
      words: string,
      prepare: () => Promise<Record<string, string>> | Record<string, string>,
    ])[] = [
      [
        'that a CA is not known',
        'its certificate is signed by an unknown authority',
        async () => kubeconfig((await startServer(ends, listing())).url, {'certificate-authority': undefined}),
      ],
      [
        'that a certificate has expired',
        'its certificate has expired',
        async () => kubeconfig((await startServer(ends, listing(), {certificate: 'expired'})).url),
      ],
      [
        'that a certificate is for another name',
        'its certificate is for another name',
        async () => kubeconfig((await startServer(ends, listing())).url, {'tls-server-name': 'other.test'}),
      ],
      [
        'that a server does not speak TLS',
        'what answers there does not speak TLS',
        async () => {
          const {port} = await startServer(ends, listing(), {certificate: 'none'})
          return kubeconfig(`https://127.0.0.1:${port}`)
        },
      ],
      [
        'that a server does not speak HTTP',
        'what answers there does not speak HTTP',
        async () => {
          const server = net.createServer((socket) => {
            socket.on('error', () => undefined)
            socket.end('SSH-2.0-OpenSSH_9.2\r\n')
          })
          return kubeconfig(`http://127.0.0.1:${await listen(server)}`)
        },
      ],
      [
        'that nobody listens',
        'connection refused',
        async () => {
          const server = net.createServer()
          const port = await listen(server)
          server.close()
          return kubeconfig(`https://127.0.0.1:${port}`)
        },
      ],
      [
        'that a connection is closed before TLS is up',
        'the connection was closed before an answer came',
        async () => kubeconfig(`https://127.0.0.1:${await listen(net.createServer((socket) => socket.destroy()))}`),
      ],
      [
        'that a connection is closed before an answer comes',
        'the connection was closed before an answer came',
        async () => kubeconfig((await startServer(ends, (request) => request.socket.destroy())).url),
      ],
      ['that DNS does not know a name', 'DNS', () => kubeconfig('https://nowhere.invalid:6443')],
      [
        'that a server refuses a client without a certificate',
        'the server refused the client certificate',
        async () => {
          const server = https.createServer({
            cert: readFileSync(fixture('tls/server.pem')),
            key: readFileSync(fixture('tls/server-key.pem')),
            ca: readFileSync(CA),
            requestCert: true,
            rejectUnauthorized: true,
          })
          server.on('tlsClientError', () => undefined)
          return kubeconfig(`https://127.0.0.1:${await listen(server)}`)
        },
      ],
    ]

    test.each(cases)('%s', async (_fault, words, prepare) => {
      const {stdout, stderr, code} = await list(await prepare())

      expect(stderr).toMatch(/^Error: Cannot reach https?:\/\/\S+: .+\n(?:Hint: .+\n)*$/)
      expect(stderr).toContain(words)
      expect(stdout).toBe('')
      expect(code).toBe(4)
    })
  })

  test('trusts what the machine trusts where a kubeconfig names no CA', async () => {
    const {url} = await startServer(ends, listing())

    const {stderr, code} = await list({...kubeconfig(url, {'certificate-authority': undefined}), SSL_CERT_FILE: CA})

    expect(stderr).not.toContain('Error')
    expect(code).toBe(0)
  })

  test('verifies the server whatever a variable of the runtime says', async () => {
    const {url, seen} = await startServer(ends, listing())
    const env = kubeconfig(url, {'certificate-authority': undefined})

    const {stderr, code} = await list({...env, NODE_TLS_REJECT_UNAUTHORIZED: '0'})

    expect(stderr).toContain('its certificate is signed by an unknown authority')
    expect(seen).toEqual([])
    expect(code).toBe(4)
  })

  test('leaves loopback out of the proxy of the environment', async () => {
    const {url, seen} = await startServer(ends, listing())
    const dead = 'http://127.0.0.1:1'

    const {code} = await list({...kubeconfig(url), HTTPS_PROXY: dead, HTTP_PROXY: dead, https_proxy: dead})

    expect(seen).toHaveLength(1)
    expect(code).toBe(0)
  })

  test('goes through the proxy of the environment once, and NO_PROXY keeps it from that', async () => {
    const {port, seen} = await startServer(ends, listing())
    const asked: string[] = []
    const proxy = http.createServer().on('connect', (request: IncomingMessage, socket: net.Socket) => {
      asked.push(request.url ?? '')
      const through = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        through.pipe(socket).pipe(through)
      })
      for (const end of [through, socket]) end.on('error', () => undefined)
    })
    const env = {
      ...kubeconfig(`https://cluster.invalid:${port}`, {'tls-server-name': 'localhost'}),
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    }

    const through = await list(env)
    const past = await list({...env, NO_PROXY: '.invalid'})

    expect(through.code).toBe(0)
    expect(asked).toEqual([`cluster.invalid:${port}`])
    expect(seen).toHaveLength(1)
    expect(past.stderr).toContain('DNS')
    expect(past.code).toBe(4)
  })

  test('finds a server by a name with addresses of which one alone answers', async () => {
    const {port} = await startServer(ends, listing())

    const {stderr, code} = await list(kubeconfig(`https://localhost:${port}`))

    expect(stderr).not.toContain('Error')
    expect(code).toBe(0)
  })

  test('sends no header but its own', async () => {
    const {url, seen} = await startServer(ends, listing())

    await list(kubeconfig(url, {}, {token: 'sesame'}))

    const names = seen[0]?.rawHeaders.filter((_, index) => index % 2 === 0).map((header) => header.toLowerCase())
    expect(names?.toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'user-agent',
    ])
    expect(seen[0]?.headers).toMatchObject({'user-agent': 'agentctl', authorization: 'Bearer sesame'})
  })

  test('follows no redirect, and takes its token nowhere', async () => {
    const elsewhere = await startServer(ends, listing(), {certificate: 'none'})
    const {url, seen} = await startServer(ends, (_request, response) => {
      response.writeHead(302, {location: elsewhere.url}).end()
    })

    const {code} = await list(kubeconfig(url, {}, {token: 'sesame'}))

    expect(seen).toHaveLength(1)
    expect(elsewhere.seen).toEqual([])
    expect(code).toBe(4)
  })

  test('takes up the TLS session of an earlier connection', async () => {
    const answer = listing(3)
    const reused: boolean[] = []
    const {url} = await startServer(ends, (request, response, count) => {
      reused.push((request.socket as TLSSocket).isSessionReused())
      response.setHeader('connection', 'close')
      answer(request, response, count)
    })

    const {code} = await list(kubeconfig(url))

    expect(reused).toEqual([false, true, true])
    expect(code).toBe(0)
  })

  test('replaces a kept connection that the server has closed without a word', async () => {
    const answer = listing(4)
    const server: ScriptedServer = await startServer(ends, (request, response, count) => {
      if (count === 2) {
        request.socket.destroy()
        return
      }
      answer(request, response, count)
    })

    const {stderr, code} = await list(kubeconfig(server.url))

    expect(server.seen).toHaveLength(4)
    expect(server.connections()).toBe(2)
    expect(stderr).not.toContain('Error')
    expect(code).toBe(0)
  })

  test.each([
    ['by its length', {'content-length': '100000'}],
    ['by its chunks', {}],
  ])('takes a body that is cut off for no whole answer, as told %s', async (_how, headers) => {
    const {url} = await startServer(ends, (_request, response) => {
      response.writeHead(200, {'content-type': 'application/json', ...headers})
      response.write('{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": []}')
      setImmediate(() => response.socket?.destroy())
    })

    const {stdout, stderr, code} = await list(kubeconfig(url))

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: .+/)
    expect(code).toBe(4)
  })
})
