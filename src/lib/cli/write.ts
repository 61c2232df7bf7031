import {once} from 'node:events'
import type {Writable} from 'node:stream'

/** Writes all of it, no faster than the reader takes it, so that nothing is lost in a slow pager. */
export async function writeAll(stream: Writable, texts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const text of texts) {
    if (text.length > 0 && !stream.write(text)) await once(stream, 'drain')
  }
}
