import {REMOVED_KEY} from '../domain/answer.ts'
import {ProbeError} from '../domain/failure.ts'
import {BodyScrubber} from './body-scrubber.ts'
import {isPrivateKeyDer} from './key-der.ts'

/** Bytes that tell what a body is. */
const HEAD_BYTES = 64

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Takes key material out of a body as it streams, with bounded memory; what comes out does not depend on how the body
 * was cut into chunks. Private keys in PEM, in base64 of PEM (standard or for URLs, of any alignment, also twice) and in
 * DER are replaced by `REMOVED_KEY`, inside the encoding they stood in, and certificates beside them stay as they are;
 * JSON values under names of key material have each scalar replaced by `REMOVED_VALUE`, so that JSON keeps its
 * structure. Text before and after JSON is let through by the rule for text.
 *
 * The body is to be decompressed. A UTF-8 byte order mark is dropped. Throws ProbeError `bad-payload` for UTF-16 and
 * UTF-32, in which nothing here would find a key, and for JSON of absurd depth; `too-large` for a string, line or PEM
 * block of more than 16 MiB; and whatever the body itself throws.
 */
export async function* scrub(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const scrubber = new BodyScrubber()
  let head: Buffer | undefined = Buffer.alloc(0)
  try {
    for await (const bytes of body) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (head === undefined) {
        yield* scrubber.push(chunk)
        continue
      }
      head = addToHead(head, chunk)
      if (head.length < HEAD_BYTES) continue
      if (isPrivateKeyDer(head)) break
      yield* pushHead(scrubber, head, head !== chunk)
      head = undefined
    }
    // A body of one DER that is a key leaves nothing else.
    if (head !== undefined && isPrivateKeyDer(head)) yield Buffer.from(REMOVED_KEY)
    else if (head !== undefined) yield* pushHead(scrubber, head, true)
    yield* scrubber.end()
  } finally {
    scrubber.clear()
  }
}

/** The first bytes go in; where the buffer is ours, nothing that goes out is a view of it, and it is overwritten. */
function pushHead(scrubber: BodyScrubber, head: Buffer, isOwn: boolean): Buffer[] {
  const pieces = scrubber.push(checkEncoding(head))
  if (!isOwn) return pieces
  const copy = Buffer.concat(pieces)
  head.fill(0)
  return [copy]
}

/** The head with one more chunk; what it was before is overwritten, and a first chunk is not copied if it suffices. */
function addToHead(head: Buffer, chunk: Buffer): Buffer {
  if (head.length === 0 && chunk.length >= HEAD_BYTES) return chunk
  const longer = Buffer.concat([head, chunk])
  head.fill(0)
  return longer
}

/** Without its byte order mark. Throws ProbeError `bad-payload` for what is not made of bytes that mean characters. */
function checkEncoding(head: Buffer): Buffer {
  if (isWide(head)) {
    throw new ProbeError({
      stage: 'decode',
      code: 'bad-payload',
      message: 'Cannot read the answer: it is UTF-16 or UTF-32 text, not UTF-8',
      hint: 'Save it again as UTF-8 (PowerShell: Out-File -Encoding utf8)',
    })
  }
  return head.subarray(0, UTF8_BOM.length).equals(UTF8_BOM) ? head.subarray(UTF8_BOM.length) : head
}

/** UTF-16 or UTF-32, by its mark or by the zeros beside its first characters, which in JSON and PEM are ASCII. */
function isWide(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  if (head.length < 4) return false
  if (first === 0) return (isCharacter(second) && third === 0) || (second === 0 && third === 0 && isCharacter(fourth))
  return isCharacter(first) && second === 0 && fourth === 0
}

function isCharacter(byte: number): boolean {
  return byte >= 0x09 && byte < 0x7f
}
