import {createServer} from 'node:http'
import type {IncomingMessage, Server, ServerResponse} from 'node:http'
import type {Duplex} from 'node:stream'
import type {Counters} from '../counters.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import {BrokenAnswer, servePodPort} from './serve-pod-port.ts'

/** One connection into a pod. */
interface PodConnection {
  readonly pod: SimulatedPod
  readonly port: number
  /** Ends the whole stream that the connection came through, without a closing frame. */
  readonly crash: () => void
}

/** HTTP/1.1 with keep-alive for every pod: one server takes all connections, and opens no socket of its own. */
export interface PodHttpServer {
  /** Hands over the pod's end of a connection. */
  accept(socket: Duplex, connection: PodConnection): void
}

export function makePodHttpServer(nowMs: () => number, counters: Counters): PodHttpServer {
  const connections = new WeakMap<object, PodConnection & {readonly socket: Duplex}>()
  const server = createServer({keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0}, (request, response) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) {
      response.destroy()
      return
    }
    void answer(connection, request, response, nowMs, counters)
  })
  return {
    accept(socket, connection) {
      connections.set(socket, {...connection, socket})
      emitConnection(server, socket)
    },
  }
}

/** Node's documented way to give a server a stream that is no network socket; Bun 1.4 follows it. */
function emitConnection(server: Server, socket: Duplex): void {
  server.emit('connection', socket)
}

async function answer(
  {pod, port, crash, socket}: PodConnection & {readonly socket: Duplex},
  request: IncomingMessage,
  response: ServerResponse,
  nowMs: () => number,
  counters: Counters,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  try {
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
    const question = {method: request.method ?? 'GET', path: request.url ?? '/', headers, fromLoopback: true}
    const reply = await servePodPort(pod, port, question, nowMs, counters, gone.signal)
    if (reply === undefined) {
      response.destroy()
      return
    }
    response.sendDate = false
    response.writeHead(reply.status, reply.headers)
    if (reply.body instanceof Uint8Array) {
      response.end(reply.body)
      return
    }
    for await (const chunk of reply.body) {
      await write(response, chunk)
      if (gone.signal.aborted) return
    }
    response.end()
  } catch (error) {
    if (error instanceof BrokenAnswer) {
      if (error.scope === 'stream') crash()
      // What was written still reaches the other end; what is missing is the end of the body.
      socket.end()
      return
    }
    // A slow answer whose asker has left ends here.
    if (gone.signal.aborted) return
    throw error
  }
}

/** Resolves once the chunk is on its way, or nobody is there any more. */
async function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('close', done)
      resolve()
    }
    response.on('close', done)
    response.write(chunk, done)
  })
}
