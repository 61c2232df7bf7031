import {ProbeError} from '../domain/failure.ts'
import {type ByteHold, refuseLongStretch} from './byte-hold.ts'
import {BLANK, CLOSE, COMMA, FOREIGN, OPEN, STRING, STRUCTURE} from './json-structure.ts'
import {escapeJson, unescapeJson} from './json-text.ts'
import {type FieldPlace, meaningOfField} from './key-fields.ts'
import type {OutputQueue} from './output-queue.ts'
import {type ScrubDocument, scrubInside} from './scrub-text.ts'
import {StringScan} from './string-scan.ts'
import {ValueRemover} from './value-remover.ts'

/** A byte of memory each. Far deeper than any answer, so that one absurd value costs no others. */
const MAX_DEPTH = 20_000

/** Bits of what a container is. */
const IS_OBJECT = 1
const IS_PROVIDER = 2
/** A list of JWKs. */
const IS_KEY_SET = 4
const IS_JWK = 8

/** Why `run` stopped: the chunk is used up, the document is closed, or what follows is no JSON. */
export type JsonStop = 'more' | 'closed' | 'malformed'

/** Scrubs one JSON document as it streams: a lenient lexer that knows the names it is under, and nothing else. */
export class JsonScrubber {
  readonly #queue: OutputQueue
  readonly #hold: ByteHold
  readonly #layer: number
  readonly #scrubDocument: ScrubDocument
  readonly #scan = new StringScan()
  readonly #remover: ValueRemover

  readonly #containers = new Uint8Array(MAX_DEPTH + 1)
  #depth = 0
  /** Depth of the container whose values are all key material; 0 where there is none. */
  #removedDepth = 0
  #nextIsRemoved = false
  #nextIsProvider = false
  #nextIsKeySet = false
  #expectsName = false
  #isInString = false
  #isName = false

  constructor(queue: OutputQueue, hold: ByteHold, layer: number, scrubDocument: ScrubDocument) {
    this.#queue = queue
    this.#hold = hold
    this.#layer = layer
    this.#scrubDocument = scrubDocument
    this.#remover = new ValueRemover(queue)
  }

  /** A document was begun and is not closed yet. */
  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** Forgets the document in hand; the next byte opens another. */
  restart(): void {
    this.#depth = 0
    this.#removedDepth = 0
    this.resume()
  }

  /** Goes on inside the document after a stretch that was no JSON. */
  resume(): void {
    this.#isInString = false
    this.#next()
  }

  /**
   * Goes through `chunk` from `from`. Returns where it stopped and why; where a string turned out to be none, that is
   * its beginning, and the held part of it (if it began in an earlier chunk) is left in the hold.
   */
  run(chunk: Buffer, from: number): {at: number; stop: JsonStop} {
    let at = from
    if (this.#remover.isBusy) at = this.#remover.run(chunk, at)
    else if (this.#isInString) at = this.#findStringEnd(chunk, at, at)
    while (at >= 0 && at < chunk.length) {
      const byte = chunk[at] ?? 0
      const kind = STRUCTURE[byte]
      if (kind === BLANK) {
        at++
      } else if (kind === STRING) {
        const end = this.#goThroughString(chunk, at)
        if (end < 0) return {at, stop: 'malformed'}
        at = end
      } else if (kind === OPEN) {
        this.#open(byte)
        at++
      } else if (kind === CLOSE) {
        at++
        this.#close()
        if (this.#depth === 0) return {at, stop: 'closed'}
      } else if (kind === COMMA) {
        this.#next()
        at++
      } else if (this.#isRemoved()) {
        at = this.#remover.run(chunk, this.#remover.begin(at, 'literal'))
        this.#nextIsRemoved = false
      } else if (kind === FOREIGN) {
        return {at, stop: 'malformed'}
      } else {
        at++
      }
    }
    return at < 0 ? {at: from, stop: 'malformed'} : {at: chunk.length, stop: 'more'}
  }

  /** The body ends inside the document: a string that was cut off is scrubbed as far as it goes. */
  end(): void {
    this.#remover.end()
    if (this.#hold.length === 0) return
    const raw = this.#hold.view()
    const scrubbed = this.#inspectString(raw, 1, raw.length)
    this.#queue.put(scrubbed === undefined ? Buffer.from(raw) : quote(scrubbed).subarray(0, -1))
    this.#hold.clear()
  }

  #top(): number {
    return this.#containers[this.#depth] ?? 0
  }

  #isRemoved(): boolean {
    return this.#removedDepth > 0 || this.#nextIsRemoved
  }

  #open(byte: number): void {
    if (this.#depth === MAX_DEPTH) {
      throw new ProbeError({
        stage: 'fetch',
        code: 'bad-payload',
        message: `Cannot take in the answer: its JSON is nested deeper than ${MAX_DEPTH} levels`,
      })
    }
    const isObject = byte === 0x7b
    const isJwk = isObject && (this.#top() & IS_KEY_SET) !== 0
    this.#depth++
    this.#containers[this.#depth] =
      (isObject ? IS_OBJECT : 0) |
      (this.#nextIsProvider ? IS_PROVIDER : 0) |
      (this.#nextIsKeySet && !isObject ? IS_KEY_SET : 0) |
      (isJwk ? IS_JWK : 0)
    if (this.#nextIsRemoved && this.#removedDepth === 0) this.#removedDepth = this.#depth
    this.#next()
  }

  #close(): void {
    if (this.#removedDepth === this.#depth) this.#removedDepth = 0
    this.#depth--
    this.#next()
    this.#expectsName = false
  }

  /** A member may follow. */
  #next(): void {
    this.#expectsName = (this.#top() & IS_OBJECT) !== 0
    this.#nextIsRemoved = false
    this.#nextIsProvider = false
    this.#nextIsKeySet = false
  }

  /** Index of the first byte after the string that begins at `at`, the chunk's length, or -1 where it is none. */
  #goThroughString(chunk: Buffer, at: number): number {
    if (this.#isRemoved() && !this.#expectsName) {
      this.#nextIsRemoved = false
      return this.#remover.run(chunk, this.#remover.begin(at, 'string'))
    }
    this.#isInString = true
    this.#isName = this.#expectsName
    this.#expectsName = false
    this.#scan.begin()
    return this.#findStringEnd(chunk, at, at + 1)
  }

  /** The same for a string whose part in this chunk begins at `start`, and was gone through up to `at`. */
  #findStringEnd(chunk: Buffer, start: number, at: number): number {
    const end = this.#scan.findEnd(chunk, at)
    if (end < 0) return -1
    if (end === chunk.length) this.#holdBack(chunk, start)
    else this.#endString(chunk, start, end + 1)
    return end + 1
  }

  #holdBack(chunk: Buffer, start: number): void {
    this.#queue.cut(start)
    this.#hold.append(chunk, start, chunk.length)
    this.#queue.drop(chunk.length)
  }

  /** A string ended: `chunk[start, end)` with its quotes, after what is held of it. */
  #endString(chunk: Buffer, start: number, end: number): void {
    this.#isInString = false
    if (this.#hold.length === 0) {
      refuseLongStretch(end - start)
      const scrubbed = this.#inspectString(chunk, start + 1, end - 1)
      if (scrubbed === undefined) return
      this.#queue.cut(start + 1)
      this.#queue.put(scrubbed)
      this.#queue.drop(end - 1)
    } else {
      this.#hold.append(chunk, start, end)
      const raw = this.#hold.view()
      const scrubbed = this.#inspectString(raw, 1, raw.length - 1)
      this.#queue.put(scrubbed === undefined ? Buffer.from(raw) : quote(scrubbed))
      this.#queue.drop(end)
      this.#hold.clear()
    }
  }

  /** Notes a name; scrubs the string inside the quotes, undefined where nothing was taken out. */
  #inspectString(bytes: Buffer, from: number, to: number): Buffer | undefined {
    if (this.#isName) this.#noteName(bytes, from, to)
    return this.#scan.isWorthALook(bytes, from, to) ? this.#scrubString(bytes.subarray(from, to)) : undefined
  }

  #noteName(bytes: Buffer, from: number, to: number): void {
    const top = this.#top()
    const place: FieldPlace = (top & IS_PROVIDER) !== 0 ? 'key-provider' : (top & IS_JWK) !== 0 ? 'jwk' : 'plain'
    const name = this.#scan.hasEscape ? unescapeJson(bytes.subarray(from, to)) : undefined
    const meaning =
      name === undefined ? meaningOfField(bytes, from, to, place) : meaningOfField(name, 0, name.length, place)
    this.#nextIsRemoved = meaning === 'key-material'
    this.#nextIsProvider = meaning === 'key-provider'
    this.#nextIsKeySet = meaning === 'key-set'
    // A JWK that stands alone is one from here on.
    if (meaning === 'key-type') this.#containers[this.#depth] = top | IS_JWK
  }

  #scrubString(inside: Buffer): Buffer | undefined {
    const text = this.#scan.hasEscape ? unescapeJson(inside) : inside
    const scrubbed = scrubInside(text, this.#layer + 1, this.#scrubDocument)
    if (this.#scan.hasEscape) text.fill(0)
    return scrubbed === undefined ? undefined : escapeJson(scrubbed)
  }
}

function quote(inside: Buffer): Buffer {
  return Buffer.concat([Buffer.from('"'), inside, Buffer.from('"')])
}
