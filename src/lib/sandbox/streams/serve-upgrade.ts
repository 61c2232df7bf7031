import type {IncomingMessage} from 'node:http'
import {STATUS_CODES} from 'node:http'
import type {Duplex} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {WebSocketServer} from 'ws'
import {authenticate} from '../api/authenticate.ts'
import {authorize, forbiddenWithoutReason, isAllowed} from '../api/authorize.ts'
import {readResourcePath} from '../api/resource-path.ts'
import {replyOf, takeSwitches} from '../api/serve-request.ts'
import type {ServerContext} from '../api/server-context.ts'
import {badRequest, notFound, serverFailure, StatusError, unknownPath} from '../api/status.ts'
import {count} from '../counters.ts'
import type {SimulatedContainer, SimulatedPod} from '../simulated-pod.ts'
import {execProtocols, serveExec} from './exec.ts'
import {dialSimulated} from './dial-simulated.ts'
import {portForwardProtocol, readForwardPorts, servePortForward} from './port-forward.ts'
import {servePodPort} from './serve-pod-port.ts'

/** Takes the upgrade requests of the API server: exec and port-forward over WebSocket. */
export interface UpgradeHandler {
  serve(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Ends all streams. */
  close(): void
}

/** A kubelet's refusal: a status with its text, passed through as it is. */
class KubeletRefusal extends Error {
  override readonly name = 'KubeletRefusal'
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

export function makeUpgradeHandler(context: ServerContext): UpgradeHandler {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...execProtocols, portForwardProtocol].find((name) => offered.has(name)) ?? false,
  })
  return {
    async serve(request, socket, head) {
      // A client that leaves in the middle is its own affair.
      socket.on('error', () => socket.destroy())
      if (context.switches.latencyMs > 0) await sleep(context.switches.latencyMs)
      if (socket.destroyed) return
      try {
        accept(sockets, request, socket, head, context)
      } catch (error) {
        if (error instanceof StatusError) {
          const {status, text, headers} = replyOf(error)
          refuse(socket, status, text, {'content-type': 'application/json', ...headers}, context)
        } else if (error instanceof KubeletRefusal) {
          refuse(socket, error.status, error.message, {'content-type': 'text/plain; charset=utf-8'}, context)
        } else throw error
      }
    },
    close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

function accept(
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  context: ServerContext,
): void {
  const {counters} = context
  const url = new URL(request.url ?? '/', 'https://sandbox')
  takeSwitches(context)
  const user = authenticate(request, context.tokens)
  const path = readResourcePath(url.pathname)
  const isStream = path?.type.plural === 'pods' && ['exec', 'portforward'].includes(path.subresource)
  if (path === undefined || !isStream) throw new StatusError(unknownPath)
  const resource = `pods/${path.subresource}`
  const attributes = {group: '', resource, namespace: path.namespace, name: path.name}
  const verb = request.method === 'POST' ? 'create' : 'get'
  count(counters.requests, `${verb} ${resource}`)
  authorize(user, {...attributes, verb})
  if (context.switches.needsCreate && !isAllowed(user, {...attributes, verb: 'create'})) {
    throw new StatusError(forbiddenWithoutReason({...attributes, verb: 'create'}))
  }
  const pod = context.world.get(path.type, path.namespace, path.name)?.pod
  if (pod === undefined || pod.fault?.type === 'pod-gone') throw new StatusError(notFound('', 'pods', path.name))
  if (pod.node === undefined) {
    throw new StatusError(badRequest(`pod ${path.name} does not have a host assigned`))
  }
  if (pod.fault?.type === 'hang-dial') return
  const offered = offeredProtocols(request)
  const serve =
    path.subresource === 'exec' ? prepareExec(pod, url, offered, context) : prepareForward(pod, url, offered, context)
  sockets.handleUpgrade(request, socket, head, (client) => {
    counters.streams += 1
    counters.openStreams += 1
    counters.mostOpenStreams = Math.max(counters.mostOpenStreams, counters.openStreams)
    client.on('close', () => {
      counters.openStreams -= 1
    })
    serve(client)
  })
}

type Serve = (client: Parameters<typeof servePortForward>[0]) => void

function prepareForward(
  pod: SimulatedPod,
  url: URL,
  offered: readonly string[] | undefined,
  context: ServerContext,
): Serve {
  dialKubelet(pod)
  // kubectl's tunnel carries SPDY too. It gives no ports, and once refused, kubectl tries SPDY itself.
  const isTunnel = offered?.some((name) => name.startsWith('SPDY/')) ?? true
  const ports = isTunnel ? [] : readForwardPorts(url.searchParams)
  if (typeof ports === 'string') throw new KubeletRefusal(400, ports)
  if (pod.phase !== 'Running') throw new KubeletRefusal(500, `pod not found ("${pod.name}_${pod.namespace}")`)
  requireProtocol(offered, [portForwardProtocol])
  return (client) => servePortForward(client, ports, dialSimulated(pod, context.podHttp))
}

function prepareExec(
  pod: SimulatedPod,
  url: URL,
  offered: readonly string[] | undefined,
  context: ServerContext,
): Serve {
  const container = chooseContainer(pod, url.searchParams.get('container') ?? '')
  dialKubelet(pod)
  if (!container.isRunning) throw new KubeletRefusal(500, `container not found ("${container.name}")`)
  requireProtocol(offered, execProtocols)
  const command = url.searchParams.getAll('command')
  return (client) => {
    const gone = new AbortController()
    client.on('close', () => gone.abort())
    void serveExec(
      client,
      container,
      command,
      async (port, question) => await servePodPort(pod, port, question, context.nowMs, context.counters, gone.signal),
      context.nowMs,
    )
  }
}

/** Texts of `pkg/registry/core/pod/strategy.go`. */
function chooseContainer(pod: SimulatedPod, name: string): SimulatedContainer {
  const containers = pod.containers()
  const found = containers.find((container) => container.name === name)
  if (found !== undefined) return found
  const [only, ...others] = containers
  if (name !== '') throw new StatusError(badRequest(`container ${name} is not valid for pod ${pod.name}`))
  if (only !== undefined && others.length === 0) return only
  const names = containers.map((container) => container.name).join(' ')
  throw new StatusError(badRequest(`a container name must be specified for pod ${pod.name}, choose one of: [${names}]`))
}

function dialKubelet(pod: SimulatedPod): void {
  if (pod.fault?.type !== 'node-unreachable') return
  const address = pod.nodeAddress ?? '192.0.2.1'
  throw new StatusError(serverFailure(`error dialing backend: dial tcp ${address}:10250: i/o timeout`))
}

/** Protocols that a WebSocket upgrade offers; `undefined` where another upgrade is asked for. */
function offeredProtocols(request: IncomingMessage): readonly string[] | undefined {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return undefined
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
}

/** A kubelet answers protocols that it does not know with an empty 403 (tried on 1.37). */
function requireProtocol(offered: readonly string[] | undefined, known: readonly string[]): void {
  if (offered === undefined) throw new StatusError(badRequest('the sandbox speaks WebSocket alone, not SPDY'))
  if (!known.some((name) => offered.includes(name))) throw new KubeletRefusal(403, '')
}

function refuse(
  socket: Duplex,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
  {nowMs, switches}: ServerContext,
): void {
  const lines = Object.entries({
    ...headers,
    date: new Date(nowMs()).toUTCString(),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const warnings = switches.warnings.map((warning) => `warning: 299 - ${JSON.stringify(warning)}\r\n`)
  const head = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}${warnings.join('')}\r\n`
  socket.end(head + text)
}
