import type {RawData, WebSocket} from 'ws'
import {oneLine} from '../foreign-text.ts'

/** How a WebSocket ended: its close code (1006: without a close frame), and why, in the other end's words. */
export interface SocketEnd {
  readonly code: number
  readonly reason: string
}

export interface ChannelHandlers {
  /** A payload, without its channel byte; never empty. */
  frame(channel: number, payload: Buffer): void
  /** Once, whoever closed. */
  end(end: SocketEnd): void
}

/** A WebSocket that carries numbered channels: the first byte of each message is the channel. */
export class ChannelSocket {
  readonly #socket: WebSocket
  readonly #held = new Set<number>()

  /** Takes over an open socket whose reading is paused, and starts to read. */
  constructor(socket: WebSocket, handlers: ChannelHandlers) {
    this.#socket = socket
    let trouble = ''
    socket.on('message', (data) => {
      const message = bytesOf(data)
      const channel = message[0]
      if (channel !== undefined && message.length > 1) handlers.frame(channel, message.subarray(1))
    })
    // `close` always follows, and tells the handlers.
    socket.on('error', (error) => {
      trouble = oneLine(error.message)
    })
    socket.once('close', (code, reason) => {
      handlers.end({code, reason: reason.length > 0 ? oneLine(reason.toString()) : trouble})
    })
    if (socket.readyState === socket.CLOSED) queueMicrotask(() => handlers.end({code: 1006, reason: trouble}))
    else socket.resume()
  }

  /** `done` gets an error where the socket is closed or closing. */
  send(channel: number, payload: Uint8Array, done: (error?: Error | null) => void): void {
    this.#socket.send(Buffer.concat([Buffer.of(channel), payload]), {binary: true}, done)
  }

  /** Stops reading, for all channels, until each that holds has released. */
  hold(channel: number): void {
    this.#held.add(channel)
    this.#socket.pause()
  }

  release(channel: number): void {
    if (this.#held.delete(channel) && this.#held.size === 0) this.#socket.resume()
  }

  get isHeld(): boolean {
    return this.#held.size > 0
  }

  /** Says goodbye, and does not wait for the answer: a peer that hangs must not keep the process alive. */
  close(): void {
    this.#socket.close(1000)
    setImmediate(() => this.#socket.terminate())
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

/** `closed with 1011: reason`, for messages. */
export function describeEnd({code, reason}: SocketEnd): string {
  if (code === 1000 && reason === '') return 'the other end closed it'
  const how = code === 1006 ? 'it broke off' : `it was closed with ${code}`
  return reason === '' ? how : `${how} (${reason})`
}
