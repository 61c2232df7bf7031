import {ProbeError} from '../domain/failure.ts'

/** Longest stretch (a JSON string, a PEM block, a line) that is held back to be looked at whole. */
const MAX_HELD_BYTES = 16 * 1024 * 1024

/** Refuses a stretch that is too long to be held: it could not be proven free of keys. */
export function refuseLongStretch(bytes: number): void {
  if (bytes <= MAX_HELD_BYTES) return
  throw new ProbeError({
    stage: 'fetch',
    code: 'too-large',
    message: `Cannot take in the answer: one string or line in it is longer than ${MAX_HELD_BYTES >> 20} MiB`,
  })
}

/** Bytes that wait for the rest of their stretch. They may be key material, so they are overwritten when let go. */
export class ByteHold {
  #buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Throws ProbeError `too-large`. */
  append(chunk: Buffer, from: number, to: number): void {
    const length = this.#length + to - from
    refuseLongStretch(length)
    if (length > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(256, length, Math.min(this.#buffer.length * 2, MAX_HELD_BYTES)))
      this.#buffer.copy(larger, 0, 0, this.#length)
      this.#buffer.fill(0)
      this.#buffer = larger
    }
    chunk.copy(this.#buffer, this.#length, from, to)
    this.#length = length
  }

  /** A view; good until the next call. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#buffer.fill(0, 0, this.#length)
    this.#length = 0
  }
}
