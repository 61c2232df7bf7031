import {TextDecoder} from 'node:util'

/** Bytes are decoded in slices of this size, so that one huge chunk does not become one huge string. */
const SLICE_BYTES = 64 * 1024

/** A body as text, whatever its encoding, with what was noticed on the way. */
export class TextStream {
  readonly #body: AsyncIterable<Uint8Array>
  /** Bytes of the body read so far. */
  bytes = 0
  /** Bytes that are no UTF-8 stood in the body; each is `U+FFFD` in the text. */
  replaced = false

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body
  }

  /** The text in pieces; to be read once. A byte order mark decides the encoding, and is not part of the text. */
  async *chunks(): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined
    let head: Uint8Array = new Uint8Array()
    for await (const chunk of this.#body) {
      this.bytes += chunk.length
      let bytes = chunk
      if (decoder === undefined) {
        // The mark may be split between chunks.
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        if (head.length < 3) continue
        decoder = new TextDecoder(encodingOf(head))
        bytes = head
      }
      for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
        yield this.#decode(decoder, bytes.subarray(start, start + SLICE_BYTES))
      }
    }
    if (decoder === undefined) yield this.#decode(new TextDecoder(encodingOf(head)), head)
    else yield this.#finish(decoder)
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array): string {
    const text = decoder.decode(bytes, {stream: true})
    if (text.includes('\uFFFD')) this.replaced = true
    return text
  }

  #finish(decoder: TextDecoder): string {
    const text = decoder.decode()
    if (text !== '') this.replaced = true
    return text
  }
}

/** Windows PowerShell's `>` writes UTF-16. */
function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be'
  return 'utf-8'
}
