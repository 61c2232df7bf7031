import {TextStream} from './text-stream.ts'

/** A body's text up to `enough` characters, and a chunk more at most; the rest is let go. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, enough = 4096): Promise<string> {
  let text = ''
  for await (const chunk of new TextStream(body).chunks()) {
    text += chunk
    if (text.length >= enough) break
  }
  return text
}
