import {readFile} from 'node:fs/promises'
import {Agent, request} from 'node:https'
import type {IncomingMessage} from 'node:http'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

/** An answer of the API server that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, what: string, body: string) {
    super(`${what}: ${String(status)} ${body.slice(0, 500)}`)
    this.status = status
  }
}

/** What a watch says of one object. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: unknown
}

/** The API server as its admin: for thousands of objects, where a process of kubectl for each is too slow. */
export class Api {
  readonly #agent: Agent

  private constructor(agent: Agent) {
    this.#agent = agent
  }

  /** Logs in by the admin's certificate. */
  static async open(pki: string): Promise<Api> {
    const [ca, cert, key] = await Promise.all(
      ['ca.crt', 'admin.crt', 'admin.key'].map(async (name) => await readFile(join(pki, name))),
    )
    return new Api(new Agent({ca, cert, key, keepAlive: true, maxSockets: 16}))
  }

  /** The answer's JSON. Throws ApiError for anything but a success. */
  async send(method: string, path: string, body?: object, type = 'application/json'): Promise<unknown> {
    const response = await this.#request(method, path, body, type)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const status = response.statusCode ?? 0
    if (status >= 300) throw new ApiError(status, `${method} ${path}`, text)
    return JSON.parse(text)
  }

  /** Tells every event of a watch, until the server ends it. */
  async watch(path: string, onEvent: (event: WatchEvent) => void): Promise<void> {
    const response = await this.#request('GET', path, undefined, '')
    for await (const line of createInterface({input: response})) onEvent(JSON.parse(line) as WatchEvent)
  }

  async #request(method: string, path: string, body: object | undefined, type: string): Promise<IncomingMessage> {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = body === undefined ? {} : {'content-type': type, 'content-length': Buffer.byteLength(text)}
    return await new Promise((resolve, reject) => {
      // A server of its own agent's would print for people; Node sends none.
      const options = {host: '127.0.0.1', port: 6443, method, path, headers, agent: this.#agent}
      const sent = request(options, resolve)
      sent.once('error', reject)
      sent.end(text)
    })
  }
}
