import type {IncomingMessage} from 'node:http'
import {createServer} from 'node:https'
import type {Duplex} from 'node:stream'
import {createWebSocketStream, WebSocketServer, type WebSocket} from 'ws'
import {newCounters} from '../../../src/lib/sandbox/counters.ts'
import {dialSimulated} from '../../../src/lib/sandbox/streams/dial-simulated.ts'
import {execProtocols, serveExec} from '../../../src/lib/sandbox/streams/exec.ts'
import {makePodHttpServer} from '../../../src/lib/sandbox/streams/pod-http-server.ts'
import {type Dial, portForwardProtocol, servePortForward} from '../../../src/lib/sandbox/streams/port-forward.ts'
import {servePodPort} from '../../../src/lib/sandbox/streams/serve-pod-port.ts'
import {NODE_IP} from '../cluster/pki.ts'
import {dialProcess} from './dial-process.ts'
import type {Pods} from './keep-pods.ts'
import {ADDRESS, type PodObject} from './pod-object.ts'
import type {SimulatedAgents} from './simulated-agents.ts'
import {serveSpdyForward, spdyForwardProtocol} from './spdy/port-forward.ts'

/** The kubelet's own certificate, and whose clients it takes. */
interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
  readonly ca: Buffer
}

/** What the streams of a kubelet lead to. */
interface Backends {
  readonly pods: Pods
  readonly agents: SimulatedAgents
}

/** SPDY that a WebSocket carries: what kubectl and istioctl ask for. */
const tunnelProtocol = `SPDY/3.1+${spdyForwardProtocol}`

/**
 * Serves port-forward and exec as a kubelet does. Port-forward comes over WebSocket, over SPDY in a WebSocket and over
 * SPDY alone; exec, of simulated agents only, over WebSocket.
 */
export async function serveStreams(tls: Tls, port: number, backends: Backends): Promise<void> {
  const protocols = [portForwardProtocol, ...execProtocols]
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  })
  const tunnels = new WebSocketServer({noServer: true, perMessageDeflate: false})
  // To `ws` a name with a slash is none: it is taken out of the request, and put into the answer by hand.
  tunnels.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${tunnelProtocol}`))
  const http = makePodHttpServer(Date.now, newCounters())
  const dialInto = (pod: PodObject): Dial => {
    const address = pod.metadata.annotations?.[ADDRESS]
    return address === undefined ? dialSimulated(backends.agents.of(pod), http) : dialProcess(address)
  }
  const server = createServer({...tls, requestCert: true, rejectUnauthorized: true})
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const [, verb, namespace = '', name = '', container = ''] = url.pathname.split('/')
    const pod = backends.pods.running(namespace, name)
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
    if (pod === undefined) refuse(socket, '404 Not Found', 'pod does not exist')
    else if (verb === 'portForward' && request.headers.upgrade?.toLowerCase() === 'spdy/3.1') {
      socket.write(SPDY_ACCEPTED)
      if (head.length > 0) socket.unshift(head)
      serveSpdyForward(socket, dialInto(pod)).catch(report)
    } else if (verb === 'portForward' && offered.includes(tunnelProtocol)) {
      delete request.headers['sec-websocket-protocol']
      tunnels.handleUpgrade(request, socket, head, (client) => {
        serveSpdyForward(createWebSocketStream(client), dialInto(pod)).catch(report)
      })
    } else if (verb === 'portForward' && offered.includes(portForwardProtocol)) {
      const ports = url.searchParams.getAll('port').flatMap((text) => text.split(',').map(Number))
      sockets.handleUpgrade(request, socket, head, (client) => servePortForward(client, ports, dialInto(pod)))
    } else if (verb === 'exec' && execProtocols.some((protocol) => offered.includes(protocol))) {
      const command = url.searchParams.getAll('command')
      sockets.handleUpgrade(request, socket, head, (client) => exec(client, backends, pod, container, command))
    } else refuse(socket, '400 Bad Request', `no ${verb ?? 'path'} over ${request.headers.upgrade ?? 'nothing'} here`)
  })
  await new Promise<void>((resolve) => server.listen(port, NODE_IP, resolve))
}

const SPDY_ACCEPTED = [
  'HTTP/1.1 101 Switching Protocols',
  'Connection: Upgrade',
  'Upgrade: SPDY/3.1',
  `X-Stream-Protocol-Version: ${spdyForwardProtocol}`,
  '\r\n',
].join('\r\n')

function exec(
  client: WebSocket,
  {agents}: Backends,
  pod: PodObject,
  containerName: string,
  command: readonly string[],
): void {
  const simulated = agents.of(pod)
  const container = simulated.containers().find(({name}) => name === containerName)
  if (container === undefined || pod.metadata.annotations?.[ADDRESS] !== undefined) {
    client.close(1011, 'no command is run there')
    return
  }
  const gone = new AbortController()
  client.on('close', () => gone.abort())
  const counters = newCounters()
  void serveExec(
    client,
    container,
    command,
    async (port, question) => await servePodPort(simulated, port, question, Date.now, counters, gone.signal),
    Date.now,
  )
}

/** A connection that breaks is the end of that connection alone. */
function report(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
}

function refuse(socket: Duplex, status: string, text: string): void {
  const length = Buffer.byteLength(text)
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: ${String(length)}\r\nConnection: close\r\n\r\n${text}`)
}
