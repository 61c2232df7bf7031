import http from 'node:http'
import https from 'node:https'
import {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import tls from 'node:tls'
import {dial, DialError, type Endpoint} from './dial.ts'

/**
 * An agent all of whose connections go to one endpoint, whatever host a request names: so requests and WebSocket
 * upgrades take the same proxy and the same TLS. `connectTimeoutMs` 0 sets no bound.
 */
export function openAgent(
  endpoint: Endpoint,
  connectTimeoutMs: number,
  closing: AbortSignal,
  options: http.AgentOptions,
): http.Agent {
  const isTls = endpoint.server.protocol === 'https:'
  const agent = isTls ? new https.Agent(options) : new http.Agent(options)
  // Trust and client certificate are read once: every pod's streams are a connection of their own.
  const secureContext = isTls ? (endpoint.secureContext ?? tls.createSecureContext(endpoint.tls)) : undefined
  const own = secureContext === undefined ? endpoint : {...endpoint, secureContext}
  agent.createConnection = (_options, callback) => {
    void handOver(dialInTime(own, connectTimeoutMs, closing), callback)
    return undefined
  }
  return agent
}

/** Nothing of a bound in time is left behind once the connection is there: there are thousands in a run. */
async function dialInTime(endpoint: Endpoint, timeoutMs: number, closing: AbortSignal): Promise<Socket> {
  if (timeoutMs === 0) return await dial(endpoint, closing)
  const ending = new AbortController()
  const onClosing = (): void => ending.abort(closing.reason)
  const onTimeout = (): void => ending.abort(new DOMException('No connection in time', 'TimeoutError'))
  const timer = setTimeout(onTimeout, timeoutMs)
  closing.addEventListener('abort', onClosing, {once: true})
  try {
    if (closing.aborted) onClosing()
    return await dial(endpoint, ending.signal)
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', onClosing)
  }
}

async function handOver(
  connected: Promise<Socket>,
  callback: ((error: Error | null, socket: Duplex) => void) | undefined,
): Promise<void> {
  let socket: Socket
  try {
    socket = await connected
  } catch (error) {
    // The agent looks at the error alone; the socket beside it is there for the type, and has no connection.
    callback?.(error instanceof DialError ? error : new DialError(error), new Socket())
    return
  }
  callback?.(null, socket)
}
