import {duplexPair} from 'node:stream'
import type {Duplex} from 'node:stream'
import type {RawData, WebSocket} from 'ws'
import {badRequest, StatusError} from '../api/status.ts'
import {faultAt} from '../fault.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {PodHttpServer} from './pod-http-server.ts'
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
 * Serves a port-forward: two channels a port (data 2i, error 2i+1), each beginning with its port as two bytes,
 * little-endian. A port that is closed says so on its error channel and leaves the others whole; the socket closes
 * when all are done.
 */
export function servePortForward(
  socket: WebSocket,
  pod: SimulatedPod,
  ports: readonly number[],
  http: PodHttpServer,
): void {
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
    const refusal = refusalOf(pod, port)
    if (refusal !== undefined) {
      void sendFrame(socket, data + 1, Buffer.from(refusal)).then(closePort)
      continue
    }
    const [near, far] = duplexPair()
    inputs.set(data, near)
    http.accept(far, {pod, port, crash: () => socket.terminate()})
    void pump(near, socket, data).then(closePort)
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

/** Text that a node writes on the error channel (containerd; socat's absence as the older Docker shim said it). */
function refusalOf(pod: SimulatedPod, port: number): string | undefined {
  const fault = faultAt(pod.fault, port)
  const sandbox = pod.uid.replaceAll('-', '').padEnd(64, '0')
  const head = `error forwarding port ${String(port)} to pod ${sandbox}, uid : `
  if (fault?.type === 'no-socat') return `${head}unable to do port forwarding: socat not found`
  if (pod.ports().has(port) && fault?.type !== 'refuse') return undefined
  const where = `failed to execute portforward in network namespace "/var/run/netns/cni-${pod.uid}"`
  const dial = `dial tcp4 127.0.0.1:${String(port)}: connect: connection refused`
  return `${head}${where}: failed to connect to localhost:${String(port)} inside namespace "${sandbox}", IPv4: ${dial} IPv6 dial tcp6 [::1]:${String(port)}: connect: connection refused `
}
