import http from 'node:http'
import https from 'node:https'
import {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
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
  const agent = endpoint.server.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
  agent.createConnection = (_options, callback) => {
    const signal = connectTimeoutMs === 0 ? closing : AbortSignal.any([closing, AbortSignal.timeout(connectTimeoutMs)])
    const connected = dial(endpoint, signal)
    void handOver(connected, callback)
    return undefined
  }
  return agent
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
