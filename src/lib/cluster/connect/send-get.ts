import http, {type IncomingMessage} from 'node:http'
import https from 'node:https'
import {errorCode} from '../error-text.ts'
import {answerInTime} from './answer-in-time.ts'

/** One GET on the wire. */
export interface GetRequest {
  readonly server: URL
  readonly agent: http.Agent
  /** From `/`, already encoded; the server's own base path is put before it. */
  readonly path: string
  readonly headers: http.OutgoingHttpHeaders
  /** Until the head is there; 0 sets no bound. */
  readonly timeoutMs: number
}

/** A server that restarts leaves several kept connections dead at once. */
const MAX_STALE = 5

/**
 * Sends a GET and resolves with the head of its answer. A kept connection that the server closed meanwhile is
 * replaced without a word. Rejects with the socket's own error, a `TimeoutError`, or the signal's reason.
 */
export async function sendGet(request: GetRequest, signal: AbortSignal): Promise<IncomingMessage> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(request, signal)
    if (!('stale' in outcome)) return outcome
    if (tries === MAX_STALE) throw outcome.stale
  }
}

async function attempt(request: GetRequest, signal: AbortSignal): Promise<IncomingMessage | {stale: Error}> {
  signal.throwIfAborted()
  const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage | {stale: Error}>()
  const {server, agent, path, headers, timeoutMs} = request
  const send = server.protocol === 'https:' ? https.request : http.request
  const sent = send({
    method: 'GET',
    agent,
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port === '' ? undefined : Number(server.port),
    path: joinPath(server, path),
    headers: {...headers, host: server.host},
  })
  sent.once('response', resolve)
  sent.on('error', (error) => {
    const isStale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(errorCode(error))
    if (isStale) resolve({stale: error})
    else reject(error)
  })
  sent.end()
  return await answerInTime(promise, timeoutMs, signal, () => sent.destroy())
}

/** The path on the server, below the base path of its address (`https://rancher/k8s/clusters/c-1`). */
export function joinPath(server: URL, path: string): string {
  return `${server.pathname.replace(/\/$/, '')}${path}`
}
