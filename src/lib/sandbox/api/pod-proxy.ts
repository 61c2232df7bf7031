import type {IncomingMessage, ServerResponse} from 'node:http'
import {BrokenAnswer, servePodPort} from '../streams/serve-pod-port.ts'
import type {ResourcePath} from './resource-path.ts'
import type {ServerContext} from './server-context.ts'
import {badRequest, notFound, StatusError} from './status.ts'

/**
 * The API server's proxy to a port of a pod: `/pods/NAME:PORT/proxy/PATH`. It comes from outside the pod, so what
 * listens on loopback refuses it.
 */
export async function proxyToPod(
  path: ResourcePath,
  search: string,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const [, scheme, name = '', portText] = /^(?:(https?):)?([^:]+)(?::(\d+))?$/.exec(path.name) ?? []
  const object = context.world.get(path.type, path.namespace, name)
  const pod = object?.pod
  if (pod === undefined || pod.fault?.type === 'pod-gone') throw new StatusError(notFound('', 'pods', name))
  if (pod.node === undefined) throw new StatusError(badRequest('address not allowed'))
  const port = Number(portText ?? 80)
  const unreachable = (why: string): StatusError =>
    new StatusError({
      code: 503,
      reason: 'ServiceUnavailable',
      message: `error trying to reach service: dial tcp ${pod.address}:${String(port)}: ${why}`,
    })
  if (pod.fault?.type === 'node-unreachable') throw unreachable('i/o timeout')
  if (scheme === 'https' || pod.phase !== 'Running') throw unreachable('connect: connection refused')
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const headers = {'x-forwarded-for': '127.0.0.1'}
  const question = {method: request.method ?? 'GET', path: `${path.rest}${search}`, headers, fromLoopback: false}
  try {
    const answer = await servePodPort(pod, port, question, context.nowMs, context.counters, gone.signal)
    if (answer === undefined) throw unreachable('connect: connection refused')
    response.sendDate = false
    response.writeHead(answer.status, answer.headers)
    const chunks = answer.body instanceof Uint8Array ? [answer.body] : answer.body
    for await (const chunk of chunks) response.write(chunk)
    response.end()
  } catch (error) {
    if (gone.signal.aborted) return
    if (!(error instanceof BrokenAnswer)) throw error
    response.destroy()
  }
}
