import {createServer} from 'node:https'
import type {Socket} from 'node:net'
import {makeUpgradeHandler} from '../streams/serve-upgrade.ts'
import {serveRequest} from './serve-request.ts'
import type {ServerContext} from './server-context.ts'

/** What the server shows of itself over TLS, and whose client certificates it takes. */
export interface TlsMaterial {
  readonly certificatePem: string
  readonly keyPem: string
  readonly clientCaPem: string
}

export interface ApiServer {
  /** Chosen by the system. */
  readonly port: number
  close(): Promise<void>
}

/** Starts the API server on a free port of 127.0.0.1. */
export async function startApiServer(tls: TlsMaterial, context: ServerContext): Promise<ApiServer> {
  const upgrades = makeUpgradeHandler(context)
  const sockets = new Set<Socket>()
  const server = createServer(
    {
      cert: tls.certificatePem,
      key: tls.keyPem,
      ca: tls.clientCaPem,
      requestCert: true,
      // Who has no certificate may have a token.
      rejectUnauthorized: false,
      keepAliveTimeout: 0,
    },
    (request, response) => void serveRequest(request, response, context),
  )
  server.on('upgrade', (request, socket, head) => void upgrades.serve(request, socket, head))
  // A client that leaves in the middle is its own affair.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('connection', (socket: Socket) => {
    context.counters.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the sandbox has no port')
  return {
    port: address.port,
    async close() {
      upgrades.close()
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}
