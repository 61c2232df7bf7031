import {scrub} from '../../../src/lib/scrub/scrub.ts'

/** A body in pieces of `size` bytes, each in memory of its own. */
export async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield Uint8Array.from(body.subarray(at, at + size))
}

/** What comes out of the scrubber for a body given in pieces of `size` bytes. */
export async function scrubbed(body: Buffer | string, size = 65_536): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of scrub(inChunks(typeof body === 'string' ? Buffer.from(body) : body, size)))
    pieces.push(piece)
  return Buffer.concat(pieces)
}
