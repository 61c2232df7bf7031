import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type {Server, Socket} from 'node:net'
import {TLSSocket} from 'node:tls'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {ConnectionDeps, ConnectionOptions} from '../../../src/lib/cluster/login/connection-options.ts'
import {openSessions} from '../../../src/lib/cluster/connect/open-sessions.ts'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/cluster')

export function fixture(name: string): string {
  return path.join(FIXTURES, name)
}

export function readFixture(name: string): string {
  return readFileSync(fixture(name), 'utf8')
}

/** Things to end after a test, in reverse order. */
export class Ends {
  readonly #ends: (() => unknown)[] = []

  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end()
  }

  folder(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'agentctl-test-'))
    this.add(() => rmSync(folder, {recursive: true}))
    return folder
  }
}

interface Seen {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** CN of the client certificate. */
  readonly client?: string
}

export interface ScriptedServer {
  readonly url: string
  readonly port: number
  readonly seen: Seen[]
  readonly server: http.Server
  connections(): number
}

/** An API server that answers as the test says. */
export async function startServer(
  ends: Ends,
  answer: (request: http.IncomingMessage, response: http.ServerResponse, count: number) => void,
  options: {readonly certificate?: 'server' | 'expired' | 'none'; readonly wantsClient?: boolean} = {},
): Promise<ScriptedServer> {
  const {certificate = 'server', wantsClient = false} = options
  const seen: Seen[] = []
  const listener = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const client = wantsClient ? nameOfClient(request.socket) : undefined
    seen.push({
      path: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      ...(client === undefined ? {} : {client}),
    })
    answer(request, response, seen.length)
  }
  const server =
    certificate === 'none'
      ? http.createServer(listener)
      : https.createServer(
          {
            cert: readFixture(`tls/${certificate}.pem`),
            key: readFixture(`tls/${certificate}-key.pem`),
            ca: readFixture('tls/ca.pem'),
            requestCert: wantsClient,
            rejectUnauthorized: false,
          },
          listener,
        )
  let connections = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.add(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  const port = portOf(server)
  const scheme = certificate === 'none' ? 'http' : 'https'
  return {url: `${scheme}://127.0.0.1:${port}`, port, seen, server, connections: () => connections}
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address.port
}

function nameOfClient(socket: Socket): string | undefined {
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined
  return typeof name === 'string' ? name : undefined
}

export function answerJson(
  response: http.ServerResponse,
  body: unknown,
  status = 200,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {'content-type': 'application/json', ...headers})
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function makeOptions(options: Partial<ConnectionOptions>): ConnectionOptions {
  return {
    contexts: [],
    asGroups: [],
    requestTimeoutMs: 30_000,
    env: {PATH: process.env['PATH']},
    cwd: '/nowhere',
    homeDir: '/nowhere',
    platform: process.platform,
    isTerminal: false,
    ...options,
  }
}

export interface TestDeps extends ConnectionDeps {
  readonly notices: string[]
}

export function makeDeps(deps: Partial<ConnectionDeps> = {}): TestDeps {
  const notices: string[] = []
  return {notice: (text) => notices.push(text), now: () => Date.now(), notices, ...deps}
}

/** Writes a kubeconfig with one cluster `c`, one user `u`, one context `x`, and opens its session. */
export async function openTestSession(
  ends: Ends,
  server: string,
  parts: {
    readonly cluster?: Record<string, unknown>
    readonly user?: Record<string, unknown>
    readonly options?: Partial<ConnectionOptions>
    readonly deps?: ConnectionDeps
    readonly namespace?: string
  } = {},
): Promise<KubeSession> {
  const kubeconfig = path.join(ends.folder(), 'config')
  const trust = server.startsWith('https') ? {'certificate-authority': fixture('tls/ca.pem')} : {}
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'x',
      clusters: [{name: 'c', cluster: {server, ...trust, ...parts.cluster}}],
      users: [{name: 'u', user: parts.user ?? {}}],
      contexts: [{name: 'x', context: {cluster: 'c', user: 'u', namespace: parts.namespace ?? 'shop'}}],
    }),
  )
  const [session] = await openSessions(makeOptions({kubeconfig, ...parts.options}), parts.deps ?? makeDeps())
  if (session === undefined) throw new Error('no session')
  ends.add(() => session[Symbol.asyncDispose]())
  return session
}

/** A signal that never fires. */
export const never = (): AbortSignal => new AbortController().signal

/** What a promise throws. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It did not throw')
}
