/** What goes out for one chunk: stretches of the chunk itself, uncopied, and what stands in place of others. */
export class OutputQueue {
  #chunk: Buffer = Buffer.alloc(0)
  #from = 0
  #pieces: Buffer[] = []

  begin(chunk: Buffer): void {
    this.#chunk = chunk
    this.#from = 0
  }

  /** Everything of the chunk before `at` that was neither sent nor dropped goes out. */
  cut(at: number): void {
    if (at > this.#from) this.#pieces.push(this.#chunk.subarray(this.#from, at))
    this.#from = at
  }

  /** The chunk's bytes before `to` do not go out. */
  drop(to: number): void {
    this.#from = to
  }

  put(bytes: Buffer): void {
    if (bytes.length > 0) this.#pieces.push(bytes)
  }

  /** The rest of the chunk goes out; returns what is ready since the last call. */
  take(): Buffer[] {
    this.cut(this.#chunk.length)
    const pieces = this.#pieces
    this.#pieces = []
    this.begin(Buffer.alloc(0))
    return pieces
  }
}
