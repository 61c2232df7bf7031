import {TextStream} from '../text/text-stream.ts'

/** A line far longer than any metric's is none; it is dropped instead of collected. */
const MAX_LINE_CHARACTERS = 64 * 1024

/** The lines of a text as it comes, without their ends. */
export async function* metricLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of new TextStream(body).chunks()) {
    const pieces = (rest + chunk).split('\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) yield piece.replace(/\r$/, '')
    if (rest.length > MAX_LINE_CHARACTERS) rest = rest.slice(0, MAX_LINE_CHARACTERS)
  }
  if (rest !== '') yield rest
}
