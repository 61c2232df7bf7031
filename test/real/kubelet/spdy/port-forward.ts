import type {Duplex} from 'node:stream'
import type {Dial} from '../../../../src/lib/sandbox/streams/port-forward.ts'
import {serveSpdy, type SpdyStream} from './connection.ts'

/** The protocol's name inside SPDY; a WebSocket that carries SPDY has `SPDY/3.1+` before it. */
export const spdyForwardProtocol = 'portforward.k8s.io'

/**
 * Serves a port-forward over SPDY: for each connection of the client a stream of data and one of errors, which name
 * their port and which belong together by their request (kubelet `portforward/httpstream.go`).
 */
export async function serveSpdyForward(connection: Duplex, dial: Dial): Promise<void> {
  const errors = new Map<string, SpdyStream>()
  const carry = async (data: SpdyStream, error: SpdyStream): Promise<void> => {
    data.once('close', () => error.end())
    const refusal = await dial(Number(data.headers.get('port')), data, () => connection.destroy())
    if (refusal === undefined) return
    error.end(refusal)
    data.end()
  }
  await serveSpdy(connection, (stream) => {
    const request = stream.headers.get('requestid') ?? ''
    const error = errors.get(request)
    // Every client opens the stream of errors first.
    if (stream.headers.get('streamtype') === 'error') errors.set(request, stream.resume())
    else if (error === undefined) stream.destroy()
    else void carry(stream, error)
  })
}
