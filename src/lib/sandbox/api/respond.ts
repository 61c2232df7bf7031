import type {IncomingMessage, ServerResponse} from 'node:http'
import {promisify} from 'node:util'
import {constants, gzip} from 'node:zlib'
import type {Counters} from '../counters.ts'

const gzipAsync = promisify(gzip)
/** An API server compresses bodies from 128 KB on, fast rather than well (apiserver `endpoints/handlers/responsewriters`). */
const gzipFromBytes = 128 * 1024

export interface ApiReply {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
  /** Break off in the middle of the body. */
  readonly isCut?: boolean
}

/** Writes an answer of the API server itself. */
export async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ApiReply,
  warnings: readonly string[],
  nowMs: number,
  counters: Counters,
): Promise<void> {
  const plain = Buffer.from(reply.text)
  const isZipped = plain.length > gzipFromBytes && (request.headers['accept-encoding'] ?? '').includes('gzip')
  const body = isZipped ? await gzipAsync(plain, {level: constants.Z_BEST_SPEED}) : plain
  response.statusCode = reply.status
  response.sendDate = false
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
    date: new Date(nowMs).toUTCString(),
    ...(isZipped ? {'content-encoding': 'gzip', vary: 'Accept-Encoding'} : {}),
    ...reply.headers,
    'content-length': String(body.length),
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (warnings.length > 0)
    response.setHeader(
      'warning',
      warnings.map((text) => `299 - ${JSON.stringify(text)}`),
    )
  counters.apiBytes += body.length
  if (reply.isCut === true) {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
    return
  }
  response.end(body)
}
