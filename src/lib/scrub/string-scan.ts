import {isNestedText} from './base64-keys.ts'
import {BACKSLASH, CHARACTER, characterOf, NEWLINE, OTHER, QUOTE} from './characters.ts'
import {isTrigger, mayTrigger, WINDOW_MASK} from './key-trigger.ts'

/** What is shorter holds no more than the head of a key, in whatever encoding. */
const MIN_KEY_BYTES = 40
const MIN_DER_BYTES = 16
/** `{"pkcs12":1}`: the shortest document with something to remove. */
const MIN_DOCUMENT_BYTES = 12

const LETTER_M = 0x4d
const LETTER_U = 0x75

/** Looks for the end of one JSON string as it streams, and on the way for signs that it may hold a key. */
export class StringScan {
  #window = 0
  #previous = QUOTE
  #isEscaping = false
  #isSuspect = false
  #hasEscape = false
  #isLong = false

  get hasEscape(): boolean {
    return this.#hasEscape
  }

  /** After an opening quote. */
  begin(): void {
    this.#window = 0
    this.#previous = QUOTE
    this.#isEscaping = false
    this.#isSuspect = false
    this.#hasEscape = false
    this.#isLong = false
  }

  /** Index of the closing quote; the chunk's length where it is not in it; -1 where no JSON string goes on so. */
  findEnd(chunk: Buffer, from: number): number {
    if (!this.#isLong) {
      // Nearly every string is too short for a key: it is enough to find its end.
      const limit = Math.min(chunk.length, from + MIN_KEY_BYTES)
      let at = from
      while (at < limit && (CHARACTER[chunk[at] ?? 0] ?? OTHER) < 64) at++
      for (; at < limit; at++) {
        const kind = CHARACTER[chunk[at] ?? 0]
        if (kind === QUOTE) return at
        if (kind === NEWLINE) return -1
        if (kind === BACKSLASH) break
      }
      this.#isLong = true
    }
    return this.#look(chunk, from)
  }

  #look(chunk: Buffer, from: number): number {
    const length = chunk.length
    let window = this.#window
    let previous = this.#previous
    let at = from
    if (this.#isEscaping && at < length) this.#escape(chunk[at++] ?? 0)
    for (; at < length; at++) {
      if (at + 3 < length) {
        const first = CHARACTER[chunk[at] ?? 0] ?? OTHER
        const second = CHARACTER[chunk[at + 1] ?? 0] ?? OTHER
        const third = CHARACTER[chunk[at + 2] ?? 0] ?? OTHER
        const fourth = CHARACTER[chunk[at + 3] ?? 0] ?? OTHER
        if ((first | second | third | fourth) < 64 && previous < 64) {
          window = ((window << 24) | (first << 18) | (second << 12) | (third << 6) | fourth) & WINDOW_MASK
          if (mayTrigger(window) && isTrigger(window)) this.#isSuspect = true
          at += 3
          continue
        }
      }
      const byte = chunk[at] ?? 0
      const kind = CHARACTER[byte] ?? OTHER
      if (kind < 64) {
        window = ((window << 6) | kind) & WINDOW_MASK
        // Every DER of a key begins with M in base64, at the head of a word.
        if ((mayTrigger(window) && isTrigger(window)) || (byte === LETTER_M && previous >= 64)) this.#isSuspect = true
        previous = kind
        continue
      }
      previous = kind
      if (kind === QUOTE) return at
      if (kind === NEWLINE) return -1
      if (kind === BACKSLASH) {
        this.#isEscaping = true
        this.#hasEscape = true
        if (at + 1 < length) this.#escape(chunk[++at] ?? 0)
      }
    }
    this.#window = window
    this.#previous = previous
    return length
  }

  /** The byte after a backslash. */
  #escape(byte: number): void {
    this.#isEscaping = false
    // Written in hex, or an escape of an escape: only the whole string shows what it says.
    if (byte === LETTER_U || byte === 0x5c) this.#isSuspect = true
  }

  /** Whether the string that was gone through, `bytes[from, to)`, may hold a key, or a document with names of its own. */
  isWorthALook(bytes: Buffer, from: number, to: number): boolean {
    if (to - from < MIN_DOCUMENT_BYTES) return false
    const first = bytes[from] ?? 0
    if (first === 0x7b || first === 0x5b) return true
    // A DER tells itself by its first bytes, even where it is cut off soon after.
    if (first === LETTER_M && to - from >= MIN_DER_BYTES) return true
    if (to - from < MIN_KEY_BYTES) return false
    return this.#isSuspect || characterOf(first) >= 64 || isNestedText(bytes, from, to)
  }
}
