import type {IncomingMessage} from 'node:http'
import {Readable} from 'node:stream'
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib'
import {type FailureCode, ProbeError} from '../domain/failure.ts'
import {errorCode, isTimeout} from './error-text.ts'

const PROXY = 'A proxy on the way may have changed it: check HTTPS_PROXY, NO_PROXY and proxy-url'

/**
 * An answer's body, decompressed. Reading it throws ProbeError (stage `fetch`) where the connection breaks, where
 * the text is cut off, and where the server falls silent for longer than `idleMs` (0: for ever) while somebody reads;
 * it throws the signal's reason when that fires. Destroying it closes the connection.
 */
export function readBody(response: IncomingMessage, idleMs: number, what: string, signal: AbortSignal): Readable {
  const body = Readable.from(chunks(response, idleMs, what, signal), {objectMode: false, highWaterMark: 64 * 1024})
  const end = (): void => {
    if (!response.complete) response.destroy()
  }
  // A body that nobody began to read must let go of its connection too.
  signal.addEventListener('abort', end, {once: true})
  body.once('close', () => {
    signal.removeEventListener('abort', end)
    end()
  })
  response.on('error', () => undefined)
  return body
}

async function* chunks(
  response: IncomingMessage,
  idleMs: number,
  what: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const decoder = decoderFor(response)
  const source = decoder ?? response
  if (decoder !== undefined) {
    response.once('error', (error) => decoder.destroy(error))
    response.pipe(decoder)
  }
  const reader = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessSilent(reader.next(), idleMs, signal)
      if (next.done === true) break
      yield next.value
    }
  } catch (error) {
    throw explain(error, idleMs, what, signal)
  } finally {
    if (!response.complete || !response.readableEnded) response.destroy()
    decoder?.destroy()
  }
}

function decoderFor(response: IncomingMessage): ReturnType<typeof createGunzip> | undefined {
  switch ((response.headers['content-encoding'] ?? '').toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}

async function unlessSilent<Value>(next: Promise<Value>, idleMs: number, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const {promise: stopped, reject} = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  const timer =
    idleMs === 0 ? undefined : setTimeout(() => reject(new DOMException('Nothing more came', 'TimeoutError')), idleMs)
  signal.addEventListener('abort', onAbort, {once: true})
  next.catch(() => undefined)
  try {
    return await Promise.race([next, stopped])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function explain(error: unknown, idleMs: number, what: string, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof ProbeError) return error
  const told = (failureCode: FailureCode, why: string, hint: string): ProbeError =>
    new ProbeError(
      {stage: 'fetch', code: failureCode, message: `Cannot read the answer to ${what}: ${why}`, hint},
      {cause: error},
    )
  if (isTimeout(error)) {
    return told('timeout', `nothing more came for ${idleMs / 1000} s`, 'Allow more time: --request-timeout 60s')
  }
  const code = errorCode(error)
  if (code === 'ECONNRESET' || code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return told('cut-off', 'it was cut off', 'Try again')
  }
  if (code.startsWith('Z_')) return told('bad-payload', 'its compression is broken', PROXY)
  return told('connection-lost', `the connection broke (${code || 'unknown'})`, 'Try again')
}
