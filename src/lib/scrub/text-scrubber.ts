import type {ByteHold} from './byte-hold.ts'
import {BACKSLASH, CHARACTER, characterOf, NEWLINE, OTHER, SPACE} from './characters.ts'
import {isTrigger, mayTrigger, WINDOW_MASK} from './key-trigger.ts'
import type {OutputQueue} from './output-queue.ts'
import {findKeyEnd} from './pem-keys.ts'
import {type ScrubDocument, scrubText} from './scrub-text.ts'

const DASH = 0x2d
const PEM_DASHES = 5
/** A word of so many base64 characters may be a line of a key (the shortest, of Ed25519, has 64), or of an encoding of one. */
const LONG_WORD = 60
/** Every DER of a key begins with M in base64: such a word may be one that was cut off, and shorter ones hold its head alone. */
const LETTER_M = 0x4d
const DER_WORD = 16
const LINE_FEED = 0x0a

/**
 * Scrubs text that is no JSON as it streams. Lines with nothing of PEM or base64 in them pass at once; neighbouring
 * lines that have some are held together and looked at as one text.
 */
export class TextScrubber {
  readonly #queue: OutputQueue
  readonly #hold: ByteHold
  readonly #layer: number
  readonly #scrubDocument: ScrubDocument

  /** Where in the chunk the held block goes on, or a new one would begin. */
  #start = 0
  /** The block has a line before this one. */
  #isBlock = false
  /** A key block was opened by an earlier block and has not ended. */
  #isInKey = false
  #isAtLineStart = true
  #isLineSuspect = false
  #window = 0
  #word = 0
  /** Characters at which the word in hand becomes suspect. */
  #limit = LONG_WORD
  #dashes = 0

  constructor(queue: OutputQueue, hold: ByteHold, layer: number, scrubDocument: ScrubDocument) {
    this.#queue = queue
    this.#hold = hold
    this.#layer = layer
    this.#scrubDocument = scrubDocument
  }

  /** Text begins at `at` of the chunk in hand; `canOpen` where a document may begin right here. */
  begin(at: number, canOpen: boolean): void {
    this.#start = at
    this.#beginLine()
    this.#isAtLineStart = canOpen
  }

  /**
   * Goes through `chunk` from `from` and returns the chunk's length, or the index where a JSON document begins: a
   * brace or bracket at the head of a line, or, with `canResume`, what continues one there.
   */
  run(chunk: Buffer, from: number, canResume: boolean): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#isAtLineStart) {
        const kind = characterOf(chunk[at])
        if (kind === SPACE || kind === NEWLINE) {
          if (chunk[at] === LINE_FEED) this.#endLine(chunk, at + 1)
          continue
        }
        if (!this.#isInKey && opensDocument(chunk[at], canResume)) {
          this.#endBlock(chunk, at)
          return at
        }
        this.#isAtLineStart = false
      }
      at = this.#goToLineEnd(chunk, at)
      if (at < chunk.length) this.#endLine(chunk, at + 1)
    }
    this.#queue.cut(this.#start)
    this.#hold.append(chunk, this.#start, chunk.length)
    this.#queue.drop(chunk.length)
    this.#start = 0
    return chunk.length
  }

  /** The body ends. */
  end(): void {
    this.#endBlock(Buffer.alloc(0), 0)
  }

  /** Index of the line feed, or the chunk's length; notes whether the line is suspect. */
  #goToLineEnd(chunk: Buffer, from: number): number {
    let window = this.#window
    let word = this.#word
    let limit = this.#limit
    let dashes = this.#dashes
    let at = from
    for (; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      const kind = CHARACTER[byte] ?? OTHER
      if (kind < 64) {
        window = ((window << 6) | kind) & WINDOW_MASK
        dashes = byte === DASH ? dashes + 1 : 0
        if (word === 0) limit = byte === LETTER_M ? DER_WORD : LONG_WORD
        if (++word >= limit || dashes >= PEM_DASHES || (mayTrigger(window) && isTrigger(window))) {
          this.#isLineSuspect = true
        }
        continue
      }
      word = 0
      dashes = 0
      // What is spelt with escapes shows only when they are undone.
      if (kind === BACKSLASH) this.#isLineSuspect = true
      if (byte === LINE_FEED) break
    }
    this.#window = window
    this.#word = word
    this.#limit = limit
    this.#dashes = dashes
    return at
  }

  #beginLine(): void {
    this.#isAtLineStart = true
    this.#isLineSuspect = false
    this.#word = 0
    this.#dashes = 0
  }

  #endLine(chunk: Buffer, end: number): void {
    const isSuspect = this.#isLineSuspect
    if (isSuspect && !this.#isInKey) this.#isBlock = true
    else this.#endBlock(chunk, end)
    this.#beginLine()
  }

  /** Looks at what is held together with `chunk[start, end)`, and lets it go. */
  #endBlock(chunk: Buffer, end: number): void {
    const isHeld = this.#hold.length > 0
    const start = this.#start
    this.#start = end
    if (!this.#isBlock && !this.#isLineSuspect && !this.#isInKey) {
      if (isHeld) this.#queue.put(Buffer.from(this.#hold.view()))
      this.#hold.clear()
      return
    }
    this.#isBlock = false
    if (isHeld) this.#hold.append(chunk, start, end)
    const text = isHeld ? this.#hold.view() : chunk.subarray(start, end)
    const scrubbed = this.#scrubBlock(text)
    if (isHeld || scrubbed !== undefined) {
      this.#queue.cut(start)
      this.#queue.put(scrubbed ?? Buffer.from(text))
      this.#queue.drop(end)
    }
    this.#hold.clear()
  }

  #scrubBlock(text: Buffer): Buffer | undefined {
    const keyEnd = this.#isInKey ? findKeyEnd(text, 0) : 0
    if (keyEnd === undefined) return Buffer.alloc(0)
    const rest = text.subarray(keyEnd)
    const scrubbed = scrubText(rest, this.#layer, this.#scrubDocument)
    this.#isInKey = scrubbed.isOpen
    return scrubbed.bytes ?? (keyEnd > 0 ? Buffer.from(rest) : undefined)
  }
}

/** A document begins with a brace or bracket; one that was broken off goes on with a string or the end of a container. */
function opensDocument(byte: number | undefined, canResume: boolean): boolean {
  if (byte === 0x7b || byte === 0x5b) return true
  return canResume && (byte === 0x22 || byte === 0x7d || byte === 0x5d)
}
