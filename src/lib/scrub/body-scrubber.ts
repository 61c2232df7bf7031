import {ByteHold} from './byte-hold.ts'
import {JsonScrubber} from './json-scrubber.ts'
import {OutputQueue} from './output-queue.ts'
import {TextScrubber} from './text-scrubber.ts'

/** Scrubs one body, chunk by chunk: text, JSON documents in it, and text again. */
export class BodyScrubber {
  readonly #queue = new OutputQueue()
  readonly #hold = new ByteHold()
  readonly #text: TextScrubber
  readonly #json: JsonScrubber
  #isInJson = false

  constructor(layer = 0) {
    this.#text = new TextScrubber(this.#queue, this.#hold, layer, scrubDocument)
    this.#json = new JsonScrubber(this.#queue, this.#hold, layer, scrubDocument)
  }

  /** What may go out after this chunk; the pieces are views of it where nothing was changed. Throws ProbeError. */
  push(bytes: Buffer): Buffer[] {
    let chunk = bytes
    let at = 0
    this.#queue.begin(chunk)
    while (at < chunk.length) {
      if (!this.#isInJson) {
        at = this.#text.run(chunk, at, this.#json.isOpen)
        if (at === chunk.length) break
        if (chunk[at] === 0x7b || chunk[at] === 0x5b) this.#json.restart()
        else this.#json.resume()
        this.#isInJson = true
      }
      const {at: stoppedAt, stop} = this.#json.run(chunk, at)
      at = stoppedAt
      if (stop === 'more') break
      this.#isInJson = false
      if (stop === 'malformed' && this.#hold.length > 0) {
        // The string that is none began in an earlier chunk: look at it again, as text.
        const longer = Buffer.concat([this.#hold.view(), chunk])
        this.#hold.clear()
        chunk = longer
        this.#queue.begin(chunk)
        at = 0
      }
      this.#text.begin(at, stop === 'closed')
    }
    const pieces = this.#queue.take()
    if (chunk === bytes) return pieces
    const copy = Buffer.concat(pieces)
    chunk.fill(0)
    return [copy]
  }

  /** What goes out after the last chunk. */
  end(): Buffer[] {
    if (this.#isInJson) this.#json.end()
    else this.#text.end()
    return this.#queue.take()
  }

  /** Overwrites what is still held. */
  clear(): void {
    this.#hold.clear()
  }
}

/** Scrubs a document that stands inside another text; undefined where nothing was taken out. */
function scrubDocument(document: Buffer, layer: number): Buffer | undefined {
  const scrubber = new BodyScrubber(layer)
  const pieces = [...scrubber.push(document), ...scrubber.end()]
  const scrubbed = Buffer.concat(pieces)
  return scrubbed.equals(document) ? undefined : scrubbed
}
