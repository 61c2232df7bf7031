import {REMOVED_VALUE} from '../domain/answer.ts'
import {LITERAL, FOREIGN, STRUCTURE} from './json-structure.ts'
import type {OutputQueue} from './output-queue.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NULL = Buffer.from('null')
const REMOVED = Buffer.from(JSON.stringify(REMOVED_VALUE))

/** Swallows one scalar that is key material and leaves a marker; `""` and `null` hold nothing and stay. */
export class ValueRemover {
  readonly #queue: OutputQueue
  #value: 'string' | 'literal' | undefined
  #bytes = 0
  #bytesOfNull = 0
  #isEscaping = false

  constructor(queue: OutputQueue) {
    this.#queue = queue
  }

  get isBusy(): boolean {
    return this.#value !== undefined
  }

  /** The value's first byte is at `at`; the first to give to `run` is the returned one. */
  begin(at: number, value: 'string' | 'literal'): number {
    this.#queue.cut(at)
    this.#value = value
    this.#bytes = 0
    this.#bytesOfNull = 0
    this.#isEscaping = false
    const next = value === 'string' ? at + 1 : at
    this.#queue.drop(next)
    return next
  }

  /** Index of the first byte after the value, or the chunk's length. */
  run(chunk: Buffer, from: number): number {
    const end = this.#value === 'string' ? this.#endOfString(chunk, from) : this.#endOfLiteral(chunk, from)
    this.#queue.drop(end)
    return end
  }

  /** The body ends inside the value. */
  end(): void {
    if (this.#value === 'string') this.#queue.put(REMOVED.subarray(0, -1))
    else if (this.#value === 'literal') this.#finish(REMOVED)
    this.#value = undefined
  }

  #endOfString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#isEscaping) {
        this.#isEscaping = false
      } else if (byte === QUOTE) {
        this.#finish(this.#bytes === 0 ? Buffer.from('""') : REMOVED)
        return at + 1
      } else if (byte === BACKSLASH) {
        this.#isEscaping = true
      }
      this.#bytes++
    }
    return chunk.length
  }

  #endOfLiteral(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      const kind = STRUCTURE[byte]
      if (kind !== LITERAL && kind !== FOREIGN) {
        const isNull = this.#bytes === NULL.length && this.#bytesOfNull === NULL.length
        this.#finish(isNull ? NULL : REMOVED)
        return at
      }
      if (byte === NULL[this.#bytes]) this.#bytesOfNull++
      this.#bytes++
    }
    return chunk.length
  }

  #finish(instead: Buffer): void {
    this.#queue.put(instead)
    this.#value = undefined
  }
}
