import net from 'node:net'
import tls from 'node:tls'
import {showProxy} from './choose-proxy.ts'
import {errorLine} from '../error-text.ts'
import {openTunnel} from './http-tunnel.ts'

/** How to reach one server: for requests and streams alike. */
export interface Endpoint {
  readonly server: URL
  readonly proxy?: URL
  /** TLS towards the server: trust, client certificate, name. Unused for an http server. */
  readonly tls: tls.SecureContextOptions & {readonly rejectUnauthorized: boolean; readonly servername?: string}
  /** Made of `tls` once, for many connections. */
  readonly secureContext?: tls.SecureContext
  /** What the last connection left, with which the next need not prove again who either side is. */
  readonly resumption?: {session?: Buffer}
}

/** A socket to the server could not be had; `via` is set where the fault lies before the proxy's far end. */
export class DialError extends Error {
  override readonly name = 'DialError'
  readonly via: string | undefined

  constructor(cause: unknown, via?: string) {
    super(errorLine(cause), {cause})
    this.via = via
  }
}

/**
 * Opens a connection to the server, through its proxy if it has one, with TLS done. The socket is destroyed when
 * the signal fires before it is ready. Throws DialError.
 */
export async function dial(endpoint: Endpoint, signal: AbortSignal): Promise<net.Socket> {
  signal.throwIfAborted()
  const {server, proxy} = endpoint
  const isTls = server.protocol === 'https:'
  const host = bareHost(server)
  const port = portOf(server)
  const via = proxy === undefined ? undefined : showProxy(proxy)
  let raw: net.Socket | undefined
  try {
    if (proxy !== undefined) raw = await reachThrough(proxy, host, port, signal)
    else if (!isTls) return await ready(net.connect({host, port}), 'connect', signal)
  } catch (error) {
    throw new DialError(error, via)
  }
  if (raw !== undefined && !isTls) return raw
  const name = endpoint.tls.servername ?? (net.isIP(host) === 0 ? host : undefined)
  const target = raw === undefined ? {host, port} : {host, socket: raw}
  try {
    const {secureContext, resumption} = endpoint
    const socket = tls.connect({
      ...(resumption?.session === undefined ? {} : {session: resumption.session}),
      ...(secureContext === undefined
        ? endpoint.tls
        : {secureContext, rejectUnauthorized: endpoint.tls.rejectUnauthorized}),
      ...target,
      ...(name === undefined ? {} : {servername: name}),
      ALPNProtocols: ['http/1.1'],
    })
    if (resumption !== undefined) socket.on('session', (session: Buffer) => (resumption.session = session))
    return await ready(socket, 'secureConnect', signal)
  } catch (error) {
    raw?.destroy()
    throw new DialError(error)
  }
}

/** A URL's host without the brackets of an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  if (url.protocol.startsWith('socks')) return 1080
  return url.protocol === 'https:' ? 443 : 80
}

async function reachThrough(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<net.Socket> {
  const proxyHost = bareHost(proxy)
  const proxyPort = portOf(proxy)
  if (proxy.protocol.startsWith('socks')) {
    const socket = await ready(net.connect({host: proxyHost, port: proxyPort}), 'connect', signal)
    return abortable(socket, signal, async () => {
      const {SocksClient} = await import('./socks.ts')
      const {socket: through} = await SocksClient.createConnection({
        proxy: {
          host: proxyHost,
          port: proxyPort,
          type: 5,
          ...(proxy.username === ''
            ? {}
            : {userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password)}),
        },
        command: 'connect',
        // Names are left to the proxy, as Go does for socks5 and socks5h alike.
        destination: {host, port},
        existing_socket: socket,
      })
      return through
    })
  }
  const socket =
    proxy.protocol === 'https:'
      ? await ready(
          tls.connect({
            host: proxyHost,
            port: proxyPort,
            ...(net.isIP(proxyHost) === 0 ? {servername: proxyHost} : {}),
          }),
          'secureConnect',
          signal,
        )
      : await ready(net.connect({host: proxyHost, port: proxyPort}), 'connect', signal)
  return abortable(socket, signal, async () => {
    await openTunnel(socket, `${host.includes(':') ? `[${host}]` : host}:${port}`, proxy)
    return socket
  })
}

async function ready<Socket extends net.Socket>(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Socket> {
  return abortable(socket, signal, async () => {
    const {promise, resolve, reject} = Promise.withResolvers<Socket>()
    const onClose = (): void => reject(Object.assign(new Error('socket hang up'), {code: 'ECONNRESET'}))
    socket.once(event, () => resolve(socket))
    socket.once('error', reject)
    socket.once('close', onClose)
    try {
      return await promise
    } finally {
      socket.off('error', reject)
      socket.off('close', onClose)
    }
  })
}

/** Runs a step of the way; the socket dies with the step, or with the signal. */
async function abortable<Value>(socket: net.Socket, signal: AbortSignal, step: () => Promise<Value>): Promise<Value> {
  const {promise: aborted, reject} = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, {once: true})
  if (signal.aborted) onAbort()
  const running = step()
  try {
    return await Promise.race([running, aborted])
  } catch (error) {
    // A socket that dies from here on has nobody left who listens to its errors.
    socket.on('error', () => undefined)
    socket.destroy()
    running.catch(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
