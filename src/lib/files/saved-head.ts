/** The head of a saved HTTP answer. */
export interface SavedHead {
  readonly status: number
  readonly contentType?: string
  /** `Date`, in ms since 1970. */
  readonly dateMs?: number
  /** Bytes that the body should have; absent where it was encoded on its way, so that the number is another's. */
  readonly bodyBytes?: number
}

export interface PeeledHead {
  /** Absent where the bytes are no saved HTTP answer. */
  readonly head?: SavedHead
  /** Everything behind the head. */
  readonly body: AsyncIterableIterator<Uint8Array>
}

const MAX_HEAD_BYTES = 64 * 1024

/** `HTTP/1.1 200 OK`, and the bare `HTTP 404` that some tools write. */
const STATUS_LINE = /^HTTP(?:\/\d(?:\.\d)?)? ([1-5]\d\d)(?: [^\r\n]*)?\r?\n/
const HEADER_LINE = /([!#$%&'*+.^_`|~\w-]+):([^\r\n]*)(?:\r?\n|$)/y
const BLANK_LINE = /\r?\n|$/y

/** Takes the head off a saved HTTP answer; of several (a proxy's, `100 Continue`), the last one counts. */
export async function peelHead(source: AsyncIterable<Uint8Array>): Promise<PeeledHead> {
  const iterator = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  let isWhole = false
  let found: FoundHead | undefined
  try {
    while (!isWhole && found === undefined && start.length < MAX_HEAD_BYTES && couldBeHead(start)) {
      const next = await iterator.next()
      isWhole = next.done === true
      if (next.done !== true) start = Buffer.concat([start, next.value])
      found = parseHeads(start, isWhole)
    }
  } catch (error) {
    await iterator.return?.()
    throw error
  }
  const body = new Rest(start.subarray(found?.length ?? 0), iterator)
  return {body, ...(found !== undefined && {head: found.head})}
}

/** What was read already, and then the rest; leaving it closes the source, even before the first byte. */
class Rest implements AsyncIterableIterator<Uint8Array> {
  #start: Uint8Array
  readonly #iterator: AsyncIterator<Uint8Array>

  constructor(start: Uint8Array, iterator: AsyncIterator<Uint8Array>) {
    this.#start = start
    this.#iterator = iterator
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#start.length === 0) return await this.#iterator.next()
    const value = this.#start
    this.#start = Buffer.alloc(0)
    return {done: false, value}
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#iterator.return?.()
    return {done: true, value: undefined}
  }
}

interface FoundHead {
  readonly head: SavedHead
  /** Bytes up to the body. */
  readonly length: number
}

function couldBeHead(start: Buffer): boolean {
  const beginning = start.subarray(0, 5).toString('latin1')
  return 'HTTP/'.startsWith(beginning) || beginning === 'HTTP '
}

/** All heads that stand one after another; undefined where there is none, or where the last may go on. */
function parseHeads(bytes: Buffer, isWhole: boolean): FoundHead | undefined {
  const text = bytes.subarray(0, MAX_HEAD_BYTES).toString('latin1')
  let last: FoundHead | undefined
  for (let at = 0; ; at = last.length) {
    const next = parseHead(text, at, isWhole)
    if (next === undefined) return last
    last = next
    // Another head may follow; whether it does shows in its first bytes.
    if (!isWhole && text.length - last.length < 16) return undefined
  }
}

function parseHead(text: string, from: number, isWhole: boolean): FoundHead | undefined {
  const statusLine = STATUS_LINE.exec(text.slice(from, from + 1024))
  if (statusLine === null) return undefined
  const headers = new Map<string, string>()
  let at = from + statusLine[0].length
  for (;;) {
    HEADER_LINE.lastIndex = at
    const header = HEADER_LINE.exec(text)
    if (header === null) break
    headers.set((header[1] ?? '').toLowerCase(), (header[2] ?? '').trim())
    at += header[0].length
  }
  BLANK_LINE.lastIndex = at
  const blank = BLANK_LINE.exec(text)
  if (blank === null || (blank[0] === '' && !isWhole)) return undefined
  return {head: readHeaders(Number(statusLine[1]), headers), length: at + blank[0].length}
}

function readHeaders(status: number, headers: ReadonlyMap<string, string>): SavedHead {
  const contentType = headers.get('content-type')
  const dateMs = Date.parse(headers.get('date') ?? '')
  const length = headers.get('content-length') ?? ''
  const isEncoded = headers.has('content-encoding') || headers.has('transfer-encoding')
  return {
    status,
    ...(contentType !== undefined && {contentType}),
    ...(!Number.isNaN(dateMs) && {dateMs}),
    ...(/^\d{1,15}$/.test(length) && !isEncoded && {bodyBytes: Number(length)}),
  }
}
