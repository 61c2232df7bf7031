import {Duplex} from 'node:stream'
import type {ChannelSocket} from './channel-socket.ts'

/** Bytes that one channel holds for a slow reader before the socket, which others share, stops being read. */
export const CHANNEL_BUFFER_BYTES = 256 * 1024

/**
 * One TCP connection to a port, as a channel of a WebSocket carries it. There is no half-close: ending the writing
 * side says nothing to the other end. Has the few methods of a `net.Socket` that `node:http` calls.
 */
export class PortStream extends Duplex {
  readonly #socket: ChannelSocket
  readonly #channel: number
  readonly #onDestroy: (hasEnded: boolean) => void
  #finished = false

  constructor(socket: ChannelSocket, channel: number, onDestroy: (hasEnded: boolean) => void) {
    super({readableHighWaterMark: CHANNEL_BUFFER_BYTES, allowHalfOpen: false})
    this.#socket = socket
    this.#channel = channel
    this.#onDestroy = onDestroy
    // A stream between two requests has no one else who listens; requests learn of it through their own events.
    this.on('error', () => undefined)
  }

  /** What the other end sent. After `finish` it can be no part of an answer, and is dropped. */
  receive(data: Buffer): void {
    if (this.destroyed || this.#finished) return
    if (!this.push(data)) this.#socket.hold(this.#channel)
  }

  /** The other end sends no more; what it sent before is still to be read. */
  finish(): void {
    if (this.destroyed || this.#finished) return
    this.#finished = true
    this.push(null)
  }

  override _read(): void {
    this.#socket.release(this.#channel)
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.send(this.#channel, data, done)
  }

  override _final(done: () => void): void {
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.release(this.#channel)
    this.#onDestroy(this.#finished)
    done(error)
  }

  /** Called once an answer after which the other end closes is complete. */
  destroySoon(): void {
    this.destroy()
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
