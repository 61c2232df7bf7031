import {readFileSync} from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import {Readable} from 'node:stream'
import {WebSocket, WebSocketServer} from 'ws'
import {explainRefusal} from '../../../src/lib/cluster/explain-refusal.ts'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/cluster/streams')

export function streamFixture(name: string): string {
  return readFileSync(path.join(FIXTURES, name), 'utf8')
}

/** A refusal of an upgrade, or an answer to a GET. */
export interface Scripted {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the server does: first whether it refuses an upgrade (`hang`: never answers it), then how it plays a socket. */
export interface Script {
  refuse?(kind: 'portforward' | 'exec', count: number): Scripted | 'hang' | undefined
  portForward?(socket: WebSocket, ports: readonly number[], count: number): void
  exec?(socket: WebSocket, command: readonly string[], count: number): void
  get?(path: string): Scripted | 'hang'
}

export interface FakeKubelet extends AsyncDisposable {
  readonly session: KubeSession
  /** Every path that was asked, in order. */
  readonly asked: string[]
  /** Sub-protocols offered with each upgrade. */
  readonly offered: string[][]
  /** Settles once no socket is open. */
  allClosed(): Promise<void>
}

/** An API server with its kubelets, for streams: real WebSockets on loopback, frames as the test says. */
export async function fakeKubelet(script: Script): Promise<FakeKubelet> {
  const asked: string[] = []
  const offered: string[][] = []
  const sockets = new Set<WebSocket>()
  const closed: (() => void)[] = []
  const connections = new Set<net.Socket>()
  const server = http.createServer()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  const upgrades = new WebSocketServer({
    noServer: true,
    handleProtocols: (names) => [...names][0] ?? false,
    perMessageDeflate: false,
  })
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const kind = url.pathname.endsWith('/exec') ? 'exec' : 'portforward'
    offered.push((request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim()))
    const count = offered.length
    socket.on('error', () => undefined)
    const verdict = script.refuse?.(kind, count)
    if (verdict === 'hang') return
    if (verdict !== undefined) {
      const {status, headers = {}, body = ''} = verdict
      const lines = Object.entries({...headers, 'content-length': String(Buffer.byteLength(body))})
      socket.end(
        `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      )
      return
    }
    upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      sockets.add(webSocket)
      webSocket.on('close', () => {
        sockets.delete(webSocket)
        if (sockets.size === 0) for (const resolve of closed.splice(0)) resolve()
      })
      if (kind === 'exec') script.exec?.(webSocket, url.searchParams.getAll('command'), count)
      else script.portForward?.(webSocket, url.searchParams.getAll('ports').map(Number), count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)

  const session: KubeSession = {
    context: 'test',
    namespace: 'default',
    server: `http://127.0.0.1:${port}`,
    async get(path, {signal}) {
      asked.push(path)
      const scripted = script.get?.(path) ?? {status: 404}
      if (scripted === 'hang')
        return await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      const {status, headers = {}, body = ''} = scripted
      return {status, headers, body: Readable.from([Buffer.from(body)]), receivedMs: 1000}
    },
    upgrade(path, protocols, signal) {
      asked.push(path)
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], {perMessageDeflate: false})
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          socket.terminate()
          reject(signal.reason)
        }
        signal.addEventListener('abort', stop, {once: true})
        socket.on('error', () => undefined)
        socket.once('open', () => {
          signal.removeEventListener('abort', stop)
          socket.pause()
          resolve(socket)
        })
        socket.once('unexpected-response', (request, response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const body = Buffer.concat(chunks).toString()
            request.destroy()
            reject(explainRefusal({status: response.statusCode ?? 0, headers: response.headers, body, path}))
          })
        })
      })
    },
    async [Symbol.asyncDispose]() {
      // Nothing is kept.
    },
  }

  return {
    session,
    asked,
    offered,
    allClosed: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => closed.push(resolve))),
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A frame: the channel, then its payload. */
export function frame(channel: number, payload: string | readonly number[] | Buffer = ''): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload)
  return Buffer.concat([Buffer.of(channel), bytes])
}

/** Frames written as hex, one a line. */
export function framesOf(hex: string): Buffer[] {
  return hex
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'hex'))
}

/** What the kubelet sends first: the port, on both channels of each. */
export function announce(socket: WebSocket, ports: readonly number[]): void {
  for (const [index, port] of ports.entries()) {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16LE(port)
    socket.send(frame(2 * index, bytes))
    socket.send(frame(2 * index + 1, bytes))
  }
}

/** A kubelet that forwards each port to a local one; a port without one is refused, as containerd says it. */
export function forwardTo(targets: Readonly<Record<number, number>>): NonNullable<Script['portForward']> {
  return (socket, ports) => {
    announce(socket, ports)
    let open = ports.length
    const done = (): void => {
      open -= 1
      if (open === 0) socket.close(1000)
    }
    const lines = ports.map((port, index) => {
      const target = targets[port]
      if (target === undefined) {
        const text = `error forwarding port ${port} to pod 0123abcd, uid : failed to connect to localhost:${port}: connection refused`
        socket.send(frame(2 * index + 1, text))
        done()
        return undefined
      }
      const line = net.connect(target, '127.0.0.1')
      line.on('data', (data) => {
        line.pause()
        socket.send(frame(2 * index, data), () => line.resume())
      })
      line.on('error', () => undefined)
      line.on('close', done)
      return line
    })
    socket.on('message', (data: Buffer) => lines[(data[0] ?? 0) >> 1]?.write(data.subarray(1)))
    socket.on('close', () => {
      for (const line of lines) line?.destroy()
    })
  }
}

export interface LocalServer extends AsyncDisposable {
  readonly port: number
  connections(): number
}

/** An HTTP server of the test's own, as it would listen in a pod. */
export async function localServer(listener: http.RequestListener): Promise<LocalServer> {
  const server = http.createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(server: http.Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address.port
}

/** What a promise is rejected with; a fulfilled one fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<ProbeError['failure']> {
  try {
    await promise
  } catch (error) {
    if (error instanceof ProbeError) return error.failure
    throw error
  }
  throw new Error('It did not fail')
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A signal that never fires. */
export function never(): AbortSignal {
  return new AbortController().signal
}

export const POD: Pod = {
  namespace: 'shop',
  name: 'cart-1',
  uid: 'u1',
  labels: {},
  annotations: {},
  owners: [],
  phase: 'Running',
  ips: ['10.0.0.7'],
  hostNetwork: false,
  conditions: [],
  containers: [],
  volumes: {},
}
