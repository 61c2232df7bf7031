import http from 'node:http'
import https from 'node:https'
import {dial, type Endpoint} from './dial.ts'

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
    dial(endpoint, signal).then(
      (socket) => callback?.(null, socket),
      // The agent takes an error and no socket; the type of the callback does not know that.
      (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
    )
    return undefined
  }
  return agent
}
