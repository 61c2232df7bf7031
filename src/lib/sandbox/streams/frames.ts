import {WebSocket} from 'ws'
import type {RawData} from 'ws'

/** Sends a frame of one channel; resolves once it is on its way, with `false` where the socket has gone. */
export async function sendFrame(socket: WebSocket, channel: number, bytes: Uint8Array): Promise<boolean> {
  if (socket.readyState !== WebSocket.OPEN) return false
  const frame = Buffer.allocUnsafe(bytes.length + 1)
  frame[0] = channel
  frame.set(bytes, 1)
  return await new Promise<boolean>((resolve) => {
    socket.send(frame, {binary: true}, (error) => resolve(error === undefined || error === null))
  })
}

/** The bytes of a message, in whatever form `ws` gives them. */
export function frameBytes(message: RawData): Uint8Array {
  if (Array.isArray(message)) return Buffer.concat(message)
  return message instanceof ArrayBuffer ? new Uint8Array(message) : message
}
