/**
 * The port number, 2 bytes little-endian, that begins each channel of a port-forward. It may come in pieces, or with
 * data behind it.
 */
export class PortPrefix {
  readonly #port: number
  #head: Buffer = Buffer.alloc(0)

  constructor(port: number) {
    this.#port = port
  }

  /** The payload without what belongs to the prefix; a text where the other end named another port. */
  strip(payload: Buffer): Buffer | string {
    const missing = 2 - this.#head.length
    if (missing === 0) return payload
    this.#head = Buffer.concat([this.#head, payload.subarray(0, missing)])
    const port = this.#head.length === 2 ? this.#head.readUInt16LE() : this.#port
    return port === this.#port ? payload.subarray(missing) : `the other end answered for port ${port}`
  }
}
