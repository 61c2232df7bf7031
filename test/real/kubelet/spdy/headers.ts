import {constants, createDeflate, createInflate} from 'node:zlib'
import {DICTIONARY} from './dictionary.ts'

/** Names and values as SPDY packs them: one stream of zlib for each direction of a connection (SPDY/3.1, 2.6.10). */
export class HeaderBlocks {
  readonly #inflate = createInflate({dictionary: DICTIONARY})
  readonly #deflate = createDeflate({dictionary: DICTIONARY})

  /** Reads a block. Blocks must be read one after the other, in the order in which they came. */
  async read(block: Buffer): Promise<ReadonlyMap<string, string>> {
    await new Promise<void>((resolve, reject) => {
      this.#inflate.write(block, (error) => (error === null || error === undefined ? resolve() : reject(error)))
    })
    const bytes = (this.#inflate.read() as Buffer | null) ?? Buffer.alloc(4)
    let at = 0
    const number = (): number => bytes.readUInt32BE((at += 4) - 4)
    const text = (): string => {
      const length = number()
      return bytes.toString('latin1', at, (at += length))
    }
    const pairs = number()
    return new Map(Array.from({length: pairs}, (): [string, string] => [text(), text()]))
  }

  /** Writes a block without any header, which is all that a reply needs. */
  async writeEmpty(): Promise<Buffer> {
    this.#deflate.write(Buffer.alloc(4))
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve))
    return this.#deflate.read() as Buffer
  }
}
