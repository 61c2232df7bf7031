import {Duplex} from 'node:stream'
import {controlFrame, dataHead, FIN, type Frame, kinds, readFrames} from './frames.ts'
import {HeaderBlocks} from './headers.ts'

/** Sends a frame, and says when it is on its way, or nobody is there any more. */
type Send = (frame: Uint8Array, done: () => void) => void

/** A stream that the other side has opened. */
export class SpdyStream extends Duplex {
  /** Names are lower-case. */
  readonly headers: ReadonlyMap<string, string>
  readonly #id: number
  readonly #send: Send
  #isOver = false

  constructor(id: number, headers: ReadonlyMap<string, string>, send: Send) {
    super()
    this.headers = headers
    this.#id = id
    this.#send = send
  }

  override _read(): void {
    // Nobody holds the other side up: Kubernetes' SPDY has no windows.
  }

  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    if (this.#isOver) done()
    else this.#send(Buffer.concat([dataHead(this.#id, 0, chunk.length), chunk]), done)
  }

  override _final(done: () => void): void {
    if (this.#isOver) done()
    else this.#send(dataHead(this.#id, FIN, 0), done)
  }

  /** The other side wants nothing more of this stream. */
  abandon(): void {
    this.#isOver = true
    this.destroy()
  }
}

/**
 * Serves a SPDY/3.1 connection, up to its end: of the protocol what the Kubernetes clients use of it, which is streams
 * that the client opens, data, resets and pings; no windows, no priorities, no settings.
 */
export async function serveSpdy(connection: Duplex, onStream: (stream: SpdyStream) => void): Promise<void> {
  const blocks = new HeaderBlocks()
  const streams = new Map<number, SpdyStream>()
  const send: Send = (frame, done) => {
    if (connection.writable) connection.write(frame, () => done())
    else done()
  }
  const reply = (frame: Uint8Array): void => send(frame, () => undefined)
  const take = async (frame: Frame): Promise<void> => {
    const {payload} = frame
    if (frame.kind === 'data') {
      const stream = streams.get(frame.stream)
      if (payload.length > 0) stream?.push(payload)
      if ((frame.flags & FIN) !== 0) stream?.push(null)
    } else if (frame.kind === kinds.synStream) {
      const id = payload.readUInt32BE(0)
      const stream = new SpdyStream(id, await blocks.read(payload.subarray(10)), send)
      stream.once('close', () => streams.delete(id))
      stream.on('error', () => undefined)
      streams.set(id, stream)
      if ((frame.flags & FIN) !== 0) stream.push(null)
      const number = Buffer.alloc(4)
      number.writeUInt32BE(id)
      reply(controlFrame(kinds.synReply, Buffer.concat([number, await blocks.writeEmpty()])))
      onStream(stream)
    } else if (frame.kind === kinds.reset) streams.get(payload.readUInt32BE(0))?.abandon()
    else if (frame.kind === kinds.ping) reply(controlFrame(kinds.ping, payload))
    else if (frame.kind === kinds.goAway) connection.end()
  }
  try {
    for await (const frame of readFrames(connection)) await take(frame)
  } finally {
    for (const stream of streams.values()) stream.abandon()
    connection.destroy()
  }
}
