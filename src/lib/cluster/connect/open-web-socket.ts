import type http from 'node:http'
import {WebSocket} from 'ws'
import {answerInTime} from './answer-in-time.ts'
import {joinPath} from './send-get.ts'

/** A refused upgrade, as the server answered it. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most 64 KB of it. */
  readonly body: string
}

export type Upgrade = {readonly opened: WebSocket} | {readonly refused: Refusal}

/** One upgrade on the wire. */
export interface UpgradeRequest {
  readonly server: URL
  readonly agent: http.Agent
  readonly path: string
  readonly protocols: readonly string[]
  readonly headers: http.OutgoingHttpHeaders
  /** Until the socket is open or refused; 0 sets no bound. */
  readonly timeoutMs: number
}

const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * Opens a WebSocket and resolves once it is open, with its reading paused, or with the server's refusal. Rejects
 * with the socket's own error, a `TimeoutError`, or the signal's reason; nothing stays open then.
 */
export async function openWebSocket(request: UpgradeRequest, signal: AbortSignal): Promise<Upgrade> {
  signal.throwIfAborted()
  const {server, agent, path, protocols, headers, timeoutMs} = request
  const address = `${server.protocol === 'https:' ? 'wss' : 'ws'}://${server.host}${joinPath(server, path)}`
  const {promise, resolve, reject} = Promise.withResolvers<Upgrade>()
  const socket = new WebSocket(address, [...protocols], {
    agent,
    headers,
    perMessageDeflate: false,
    followRedirects: false,
    skipUTF8Validation: true,
  })
  // Ending a socket that is still connecting is an error of its own to `ws`, after the outcome is known.
  socket.on('error', reject)
  socket.once('open', () => {
    socket.pause()
    resolve({opened: socket})
  })
  socket.once('unexpected-response', (_request, response: http.IncomingMessage) => {
    resolve(readRefusal(response).then((refused) => ({refused})))
  })
  const upgrade = await answerInTime(promise, timeoutMs, signal, () => socket.terminate())
  if ('opened' in upgrade) socket.off('error', reject)
  else socket.terminate()
  return upgrade
}

async function readRefusal(response: http.IncomingMessage): Promise<Refusal> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    const parts: AsyncIterable<Buffer> = response
    for await (const part of parts) {
      chunks.push(part)
      bytes += part.length
      if (bytes >= MAX_REFUSAL_BYTES) break
    }
  } catch {
    // The status alone is an answer; a body that breaks off adds what it has.
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_REFUSAL_BYTES).toString('utf8')
  return {status: response.statusCode ?? 0, headers: response.headers, body}
}
