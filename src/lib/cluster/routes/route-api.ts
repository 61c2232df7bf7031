import {ProbeError} from '../../domain/failure.ts'
import type {Form} from '../../domain/question.ts'
import {explainRefusal} from '../explain-refusal.ts'
import {readHttpHeaders} from '../connect/http-headers.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import type {PodRoute, RouteRequest} from './routes.ts'
import type {ApiResponse, KubeSession} from '../connect/session.ts'

const LONGEST_REFUSAL = 64 * 1024

/** `/apis/cert-manager.io/v1` of a longer path; the core group is always there. */
const GROUP_VERSION = /^\/apis\/[^/?]+\/[^/?]+(?=\/)/

/**
 * Objects of the API server itself. An absent object is an answer (404); every other refusal is a failure, worked out.
 */
export class ApiRoute implements PodRoute {
  readonly route = 'api'
  readonly #session: KubeSession

  constructor(session: KubeSession) {
    this.#session = session
  }

  obstacle(form: Form): string | undefined {
    return form.type === 'api' ? undefined : 'the API server does not hold it'
  }

  async get({path, signal}: RouteRequest): Promise<RawAnswer> {
    const response = await this.#session.get(path, {signal, accept: 'application/json'})
    if (response.status >= 300 && response.status !== 404) {
      const body = (await readStart(response.body, LONGEST_REFUSAL)).toString()
      const absent = response.status === 403 ? await this.#absentGroup(path, signal) : undefined
      if (absent !== undefined) return answerOf(absent, bodyOf(absent, path))
      throw explainRefusal({status: response.status, headers: response.headers, body, path})
    }
    return answerOf(response, bodyOf(response, path))
  }

  /**
   * An API server refuses what a user may not do before it says that it serves no such thing; which groups it serves, all
   * users may read (ClusterRole `system:discovery`). The 404 of a group that is not there, in place of the refusal.
   */
  async #absentGroup(path: string, signal: AbortSignal): Promise<ApiResponse | undefined> {
    const group = GROUP_VERSION.exec(path)?.[0]
    if (group === undefined) return undefined
    const response = await this.#session.get(group, {signal, accept: 'application/json'})
    if (response.status === 404) return response
    response.body.destroy()
    return undefined
  }

  close(): void {
    // Connections are the session's.
  }
}

/** The answer that a response makes, with the given body in place of its own. */
export function answerOf(response: ApiResponse, body: AsyncIterable<Uint8Array>): RawAnswer {
  return {
    status: response.status,
    ...readHttpHeaders(response.headers),
    receivedMs: response.receivedMs,
    body,
    discard: () => void response.body.destroy(),
  }
}

/** A response's body; a break becomes a ProbeError. */
export async function* bodyOf(response: ApiResponse, path: string, begun?: Buffer): AsyncGenerator<Uint8Array> {
  let received = 0
  try {
    if (begun !== undefined) {
      received = begun.length
      yield begun
    }
    const body: AsyncIterable<Uint8Array> = response.body
    for await (const chunk of body) {
      received += chunk.length
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause
    const message = `Answer of ${path.split('?')[0]} cut off after ${received} bytes`
    throw new ProbeError({stage: 'fetch', code: 'cut-off', message, hint: 'Try again'}, {cause})
  }
}

/** The first bytes of a body, at most `most` and less than one chunk more; the rest is let go. */
export async function readStart(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(chunks)
}
