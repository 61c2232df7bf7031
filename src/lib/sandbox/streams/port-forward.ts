import {duplexPair} from 'node:stream'
import type {Duplex} from 'node:stream'
import type {RawData, WebSocket} from 'ws'
import {badRequest, StatusError} from '../api/status.ts'
import {frameBytes, sendFrame} from './frames.ts'

/** The only protocol of a WebSocket port-forward (kubelet `pkg/kubelet/server/portforward/websocket.go`). */
export const portForwardProtocol = 'v4.channel.k8s.io'

/**
 * Ports of a port-forward request, or the kubelet's text of refusal (`NewV4Options`: the API server passes `ports` on
 * as `port`). Throws the API server's own StatusError for what is no port at all.
 */
export function readForwardPorts(query: URLSearchParams): readonly number[] | string {
  const texts = query.getAll('ports')
  if (texts.length === 0) return 'query parameter "port" is required'
  const ports = texts.flatMap((value) => value.split(',')).map(readPort)
  return ports.includes(0) ? 'port "0" must be > 0' : ports
}

function readPort(text: string): number {
  const why = !/^\d+$/.test(text) ? 'invalid syntax' : Number(text) > 65_535 ? 'value out of range' : undefined
  if (why === undefined) return Number(text)
  throw new StatusError(
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`),
  )
}

/**
 * Connects the far end of a stream to a port of a pod: resolves once it is connected, or with the node's text of
 * refusal. `crash` ends everything that came over the same connection, without a closing frame.
 */
export type Dial = (port: number, far: Duplex, crash: () => void) => Promise<string | undefined>

/**
 * Serves a port-forward: two channels a port (data 2i, error 2i+1), each beginning with its port as two bytes,
 * little-endian. A port that is closed says so on its error channel and leaves the others whole; the socket closes
 * when all are done.
 */
export function servePortForward(socket: WebSocket, ports: readonly number[], dial: Dial): void {
  const inputs = new Map<number, Duplex>()
  let open = ports.length
  const closePort = (): void => {
    open -= 1
    if (open === 0) socket.close(1000)
  }
  for (const [index, port] of ports.entries()) {
    const data = 2 * index
    const prefix = Buffer.of(port & 0xff, port >> 8)
    void sendFrame(socket, data, prefix)
    void sendFrame(socket, data + 1, prefix)
    const [near, far] = duplexPair()
    inputs.set(data, near)
    void carry(
      socket,
      data,
      near,
      dial(port, far, () => socket.terminate()),
    ).then(closePort)
  }
  socket.on('message', (message: RawData) => {
    const frame = frameBytes(message)
    const input = inputs.get(frame[0] ?? 0)
    if (input !== undefined && frame.length > 1 && input.writable) input.write(frame.subarray(1))
  })
  const end = (): void => {
    for (const input of inputs.values()) input.destroy()
  }
  socket.on('close', end)
  socket.on('error', end)
}

async function carry(
  socket: WebSocket,
  data: number,
  near: Duplex,
  dialed: Promise<string | undefined>,
): Promise<void> {
  const refusal = await dialed
  if (refusal === undefined) await pump(near, socket, data)
  else await sendFrame(socket, data + 1, Buffer.from(refusal))
}

/** Carries what the pod writes, no faster than the client reads. */
async function pump(near: Duplex, socket: WebSocket, channel: number): Promise<void> {
  try {
    for await (const chunk of near) {
      if (!(chunk instanceof Uint8Array) || !(await sendFrame(socket, channel, chunk))) return
    }
  } catch (error) {
    // The pod's end was destroyed (a broken answer, or the client has gone): the end of this port, no fault of ours.
    if (!near.destroyed) throw error
  }
}
