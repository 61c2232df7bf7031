/** The kinds of control frames that matter here (SPDY/3.1, 2.6). */
export const kinds = {synStream: 1, synReply: 2, reset: 3, ping: 6, goAway: 7} as const

/** Flag of the last frame that one side sends on a stream. */
export const FIN = 1

const VERSION = 3
const HEAD_BYTES = 8

/** A frame as it came: of a stream's data, or a control frame. */
export type Frame =
  | {readonly kind: 'data'; readonly stream: number; readonly flags: number; readonly payload: Buffer}
  | {readonly kind: number; readonly flags: number; readonly payload: Buffer}

/** Cuts what comes into frames. Throws where the other side speaks another version. */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (rest.length < HEAD_BYTES) break
      const end = HEAD_BYTES + rest.readUIntBE(5, 3)
      if (rest.length < end) break
      yield frameOf(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}

function frameOf(bytes: Buffer): Frame {
  const first = bytes.readUInt32BE(0)
  const flags = bytes.readUInt8(4)
  const payload = bytes.subarray(HEAD_BYTES)
  if (first < 0x8000_0000) return {kind: 'data', stream: first, flags, payload}
  const version = (first >>> 16) & 0x7fff
  if (version !== VERSION) throw new Error(`SPDY of version ${String(version)}`)
  return {kind: first & 0xffff, flags, payload}
}

/** The head of a stream's data. */
export function dataHead(stream: number, flags: number, length: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(stream, 0)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(length, 5, 3)
  return head
}

/** A control frame. */
export function controlFrame(kind: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16BE(0x8000 | VERSION, 0)
  head.writeUInt16BE(kind, 2)
  head.writeUIntBE(payload.length, 5, 3)
  return Buffer.concat([head, payload])
}
