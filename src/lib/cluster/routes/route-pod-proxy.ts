import {type FailureCode, ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {Form} from '../../domain/question.ts'
import {explainRefusal} from '../explain-refusal.ts'
import {oneLine} from '../foreign-text.ts'
import {fieldsOf, textOf} from '../narrow.ts'
import {podName, podPath} from '../pod-path.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import {answerOf, bodyOf, readStart} from './route-api.ts'
import {limitDial, type PodRoute, type RouteRequest, unlessAborted} from './routes.ts'
import type {ApiResponse, KubeSession} from '../connect/session.ts'

const LONGEST_STATUS = 64 * 1024

/** The API server's own GET to a port of the pod's address: reaches what listens there, not what listens on loopback. */
export class PodProxyRoute implements PodRoute {
  readonly route = 'pod-proxy'
  readonly #session: KubeSession
  readonly #pod: PodRef

  constructor(session: KubeSession, pod: PodRef) {
    this.#session = session
    this.#pod = pod
  }

  obstacle(form: Form): string | undefined {
    if (form.type !== 'http') return 'the pod proxy fetches HTTP alone'
    if (form.socket !== undefined) return 'the pod proxy does not reach a Unix socket'
    return form.bindsToPod ? undefined : `port ${form.port} listens on loopback, which the pod proxy does not reach`
  }

  async get(request: RouteRequest): Promise<RawAnswer> {
    const {form, path} = request
    if (form.type !== 'http') throw new Error('Not an HTTP form')
    const where = {...this.#pod, name: `${this.#pod.name}:${form.port}`}
    const apiPath = `${podPath(where, 'proxy')}${path}`
    const limit = limitDial(request, `use the pod proxy to port ${form.port} of ${podName(this.#pod)}`)
    try {
      const headers = {'accept-encoding': 'identity', ...form.headers}
      const asked = this.#session.get(apiPath, {signal: limit.signal, accept: '*/*', headers})
      return await this.#read(await unlessAborted(asked, limit.signal, ({body}) => body.destroy()), apiPath, form.port)
    } finally {
      limit.dialled()
    }
  }

  close(): void {
    // Connections are the session's.
  }

  /** Tells the pod's own answer from a refusal by the API server, which is a Status object, or a plain text of old. */
  async #read(response: ApiResponse, apiPath: string, port: number): Promise<RawAnswer> {
    if (response.status < 300) return answerOf(response, bodyOf(response, apiPath))
    const start = await readStart(response.body, LONGEST_STATUS)
    const refusal = {
      status: response.status,
      headers: response.headers,
      body: start.toString(),
      path: this.#plain(apiPath),
    }
    const message = statusMessage(refusal.body)
    const dial = /^error trying to reach service: ?'?(.*)$/iu.exec(oneLine(message ?? refusal.body))?.[1]
    if (dial !== undefined) throw explainDial(dial, port, this.#pod)
    if (message !== undefined) throw explainRefusal(refusal)
    return answerOf(response, only(start))
  }

  /** The path as RBAC sees it, without the port. */
  #plain(apiPath: string): string {
    return apiPath.replace(/(\/pods\/[^/:]+):\d+\//u, '$1/')
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function statusMessage(body: string): string | undefined {
  if (!body.trimStart().startsWith('{')) return undefined
  try {
    const {kind, apiVersion, message} = fieldsOf(JSON.parse(body))
    return kind === 'Status' && apiVersion === 'v1' ? (textOf(message) ?? '') : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function explainDial(text: string, port: number, pod: PodRef): ProbeError {
  const [code, says, hint] = dialCause(text)
  const message = `Cannot reach port ${port} of ${podName(pod)} through the pod proxy: ${says}`
  return new ProbeError({stage: 'dial', code, message, hint})
}

function dialCause(text: string): readonly [code: FailureCode, says: string, hint: string] {
  if (/refused/iu.test(text)) {
    return [
      'port-closed',
      'connection refused',
      'The agent may be starting, or listen on another port or on loopback only',
    ]
  }
  if (/timed? ?out|deadline exceeded|no route to host|unreachable|proxy error/iu.test(text)) {
    const hint = "A NetworkPolicy or firewall may keep the API server from the pod's address: use --via port-forward"
    return ['node-unreachable', "the API server does not reach the pod's address", hint]
  }
  if (/EOF|reset/u.test(text))
    return ['connection-lost', 'the connection was lost', 'The pod may have restarted: try again']
  return ['connection-lost', oneLine(text.replace(/'$/u, '')), 'Try --via port-forward']
}
