/**
 * Chunks that came before their reader: one writes, one reads. A pair of streams would do the same at many times the
 * cost, of which each answer of each pod pays its share.
 */
export class ReadAheadQueue {
  readonly #maxBytes: number
  /** Told once the queue has room again. */
  readonly #onRoom: () => void
  #chunks: Uint8Array[] = []
  #bytes = 0
  #isFull = false
  #hasEnded = false
  #error: Error | undefined
  #wake: () => void = () => undefined

  constructor(maxBytes: number, onRoom: () => void) {
    this.#maxBytes = maxBytes
    this.#onRoom = onRoom
  }

  /** Takes a chunk, unless the queue is destroyed. Returns `false` where its writer is to wait until there is room. */
  write(chunk: Uint8Array): boolean {
    if (this.#error !== undefined) return true
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#isFull = this.#bytes >= this.#maxBytes
    this.#wake()
    return !this.#isFull
  }

  /** Nothing more comes; what is here is still to be read. */
  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** Lets go of what is here; reading throws `error`. */
  destroy(error: Error): void {
    this.#error ??= error
    this.#chunks = []
    this.#wake()
  }

  /** What comes, to be read once. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) {
        this.#take(chunk)
        yield chunk
      } else if (this.#hasEnded) return
      else await this.#more()
    }
  }

  #take(chunk: Uint8Array): void {
    this.#bytes -= chunk.length
    if (!this.#isFull || this.#bytes > 0) return
    this.#isFull = false
    this.#onRoom()
  }

  async #more(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>()
    this.#wake = resolve
    await promise
  }
}
