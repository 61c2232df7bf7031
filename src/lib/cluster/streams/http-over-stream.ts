import {Agent, type ClientRequest, type IncomingMessage, request} from 'node:http'
import type {Duplex} from 'node:stream'
import {ProbeError} from '../../domain/failure.ts'
import {readHttpHeaders} from '../connect/http-headers.ts'
import {CHANNEL_BUFFER_BYTES} from './port-stream.ts'
import type {RawAnswer} from './raw-answer.ts'
import {ReadAheadQueue} from './read-ahead-queue.ts'

const LONGEST_HEAD = 64 * 1024

export interface HttpQuestion {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** `port 15000 of shop/cart-1`, for messages. */
  readonly where: string
  /** Whether the connection's end cannot be the end of an answer that gives no length. */
  hasFailed(): boolean
  /** Why the connection ended before an answer. */
  explainEnd(): ProbeError
  nowMs(): number
  readonly signal: AbortSignal
}

/** One connection that carries requests one after the other, and is used up when the other end closes it. */
export class StreamAgent extends Agent {
  readonly #stream: Duplex
  #given = false

  constructor(stream: Duplex) {
    super({keepAlive: true, maxSockets: 1})
    this.#stream = stream
  }

  /** Whether another request may be sent. */
  get isUsable(): boolean {
    return this.#stream.readable && this.#stream.writable
  }

  override destroy(): void {
    super.destroy()
    this.#stream.destroy()
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | undefined {
    if (!this.#given) {
      this.#given = true
      return this.#stream
    }
    done?.(new Error('The connection is used up'), this.#stream)
    return undefined
  }
}

/** An answer, and when its connection is free for the next request. */
export interface HttpAnswer extends RawAnswer {
  /** Settles, and never rejects, once nothing of the answer is under way. */
  readonly finished: Promise<void>
  /** Gives no length: only the connection's end is its end. */
  readonly endsWithConnection: boolean
}

/**
 * A GET over a stream, as `Host: localhost`, plain: no redirect is followed, no compression asked for. Throws
 * ProbeError, or the signal's reason.
 */
export async function getOverStream(agent: Agent, question: HttpQuestion): Promise<HttpAnswer> {
  const {signal} = question
  signal.throwIfAborted()
  const asked = request({
    agent,
    host: 'localhost',
    path: question.path,
    headers: {host: 'localhost', 'accept-encoding': 'identity', ...question.headers},
    maxHeaderSize: LONGEST_HEAD,
  })
  const answer = await answerTo(asked, question)
  const encoding = answer.encoding ?? 'identity'
  if (encoding === 'identity') return answer
  answer.discard()
  const message = `Cannot read the answer of ${question.where}: its encoding ${encoding} was not asked for`
  throw new ProbeError({stage: 'fetch', code: 'bad-payload', message})
}

function answerTo(asked: ClientRequest, question: HttpQuestion): Promise<HttpAnswer & {readonly encoding?: string}> {
  const {signal} = question
  return new Promise((resolve, reject) => {
    const stop = (): void => void asked.destroy()
    signal.addEventListener('abort', stop, {once: true})
    asked.once('close', () => signal.removeEventListener('abort', stop))
    // All at once: a connection may end in the tick that brought the head, before any promise goes on.
    asked.once('response', (response) => resolve(answerOf(response, question)))
    asked.on('error', (error) => reject(signal.aborted ? signal.reason : explainNoHead(error, question)))
    asked.end()
  })
}

function answerOf(response: IncomingMessage, question: HttpQuestion): HttpAnswer & {readonly encoding?: string} {
  const encoding = response.headers['content-encoding']
  return {
    status: response.statusCode ?? 0,
    ...readHttpHeaders(response.headers),
    ...(encoding !== undefined && {encoding}),
    receivedMs: question.nowMs(),
    endsWithConnection: !hasLength(response),
    ...readAhead(response, question),
  }
}

function explainNoHead(error: Error & {code?: string}, question: HttpQuestion): unknown {
  const code = error.code ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `Cannot read the answer of ${question.where}: its head is longer than ${LONGEST_HEAD} bytes`
    return new ProbeError({stage: 'fetch', code: 'too-large', message}, {cause: error})
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    const message = `Cannot read the answer of ${question.where}: it is not HTTP`
    return new ProbeError({stage: 'fetch', code: 'bad-payload', message}, {cause: error})
  }
  return question.explainEnd()
}

/** Reads on while the answer's reader is busy, so that a small answer frees its connection unread. */
function readAhead(
  response: IncomingMessage,
  question: HttpQuestion,
): Pick<HttpAnswer, 'body' | 'discard' | 'finished'> {
  const ahead = new ReadAheadQueue(CHANNEL_BUFFER_BYTES, () => response.resume())
  let received = 0
  let failure: ProbeError | undefined
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (!ahead.write(chunk)) response.pause()
  })
  response.on('error', () => undefined)
  const finished = new Promise<void>((resolve) => {
    response.once('close', () => {
      failure = explainCutOff(response, received, question)
      ahead.end()
      resolve()
    })
    response.once('end', () => {
      if (response.complete) resolve()
    })
  })
  const abort = (): void => {
    ahead.destroy(new Error('Interrupted'))
    response.destroy()
  }
  question.signal.addEventListener('abort', abort, {once: true})

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* ahead.read()
      if (failure !== undefined) throw failure
    } catch (error) {
      question.signal.throwIfAborted()
      throw error
    } finally {
      discard()
    }
  }
  const discard = (): void => {
    question.signal.removeEventListener('abort', abort)
    ahead.destroy(new Error('Nobody reads any more'))
    if (!response.complete) response.destroy()
  }
  return {body: read(), discard, finished}
}

function explainCutOff(response: IncomingMessage, received: number, question: HttpQuestion): ProbeError | undefined {
  const length = response.headers['content-length']
  if (response.complete && (hasLength(response) || !question.hasFailed())) return undefined
  const whole = length === undefined ? `${received} bytes` : `${received} of ${length} bytes`
  const cause = question.explainEnd()
  return new ProbeError(
    {
      stage: 'fetch',
      code: 'cut-off',
      message: `Answer of ${question.where} cut off after ${whole}`,
      hint: question.hasFailed() ? `Try again; how it ended: ${cause.message}` : 'Try again',
    },
    {cause},
  )
}

function hasLength({headers, statusCode}: IncomingMessage): boolean {
  const isEmpty = statusCode === 204 || statusCode === 304
  return isEmpty || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
