import {request} from 'node:https'
import type {IncomingHttpHeaders} from 'node:http'
import {gunzipSync} from 'node:zlib'
import {WebSocket} from 'ws'
import {readList, readObject, readStatus} from './sandbox-json.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Whether the body came to its end. */
  readonly isComplete: boolean
  /** The body as a list, an object, a Status; each throws where it is none. */
  readonly list: () => ReturnType<typeof readList>
  readonly object: () => ReturnType<typeof readObject>
  readonly failure: () => ReturnType<typeof readStatus>
}

interface AskOptions {
  readonly user?: keyof Sandbox['tokens'] | 'nobody-at-all' | 'client-certificate'
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** One request to the sandbox's API, on a connection of its own. */
export async function ask(sandbox: Sandbox, path: string, options: AskOptions = {}): Promise<Reply> {
  const {user = 'admin', method = 'GET', headers = {}, body} = options
  return await new Promise<Reply>((resolve, reject) => {
    const outgoing = request(
      `${sandbox.url}${path}`,
      {
        method,
        ca: sandbox.caPem,
        agent: false,
        headers: {...credentials(sandbox, user), ...headers},
        ...(user === 'client-certificate'
          ? {cert: sandbox.clientCertificate.certificatePem, key: sandbox.clientCertificate.keyPem}
          : {}),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => undefined)
        response.on('close', () => {
          const raw = Buffer.concat(chunks)
          const isZipped = response.headers['content-encoding'] === 'gzip' && response.complete
          const text = (isZipped ? gunzipSync(raw) : raw).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            isComplete: response.complete,
            list: () => readList(text),
            object: () => readObject(text),
            failure: () => readStatus(text),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function credentials(sandbox: Sandbox, user: NonNullable<AskOptions['user']>): Record<string, string> {
  if (user === 'client-certificate') return {}
  if (user === 'nobody-at-all') return {}
  return {authorization: `Bearer ${sandbox.tokens[user]}`}
}

export interface Upgrade {
  /** Set where the upgrade was refused. */
  readonly refused?: {readonly status: number; readonly text: string; readonly headers: IncomingHttpHeaders}
  readonly protocol: string
  /** What came on each channel, joined. */
  readonly channels: ReadonlyMap<number, Buffer>
  readonly closeCode: number
}

/** Opens a WebSocket, sends the frames, and waits until it is closed. */
export async function stream(
  sandbox: Sandbox,
  path: string,
  protocols: readonly string[],
  frames: readonly (readonly [channel: number, text: string])[] = [],
  user: keyof Sandbox['tokens'] = 'admin',
): Promise<Upgrade> {
  return await new Promise<Upgrade>((resolve) => {
    const socket = new WebSocket(`${sandbox.url.replace('https', 'wss')}${path}`, [...protocols], {
      ca: sandbox.caPem,
      headers: {authorization: `Bearer ${sandbox.tokens[user]}`},
      perMessageDeflate: false,
    })
    const received = new Map<number, Buffer[]>()
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (outgoing, response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const refused = {status: response.statusCode ?? 0, text, headers: response.headers}
        outgoing.destroy()
        resolve({refused, protocol: '', channels: new Map(), closeCode: 0})
      })
    })
    socket.on('open', () => {
      for (const [channel, text] of frames) socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]))
    })
    socket.on('message', (data: Buffer) => {
      const parts = received.get(data[0] ?? 0) ?? []
      received.set(data[0] ?? 0, parts)
      parts.push(data.subarray(1))
    })
    socket.on('close', (closeCode) => {
      const channels = new Map([...received].map(([channel, parts]) => [channel, Buffer.concat(parts)]))
      resolve({protocol: socket.protocol, channels, closeCode})
    })
  })
}

export const forwardProtocol = ['v4.channel.k8s.io']

/** GETs over a port-forward, one for each port, each on a connection that ends with its answer. */
export async function forward(
  sandbox: Sandbox,
  pod: string,
  gets: readonly (readonly [port: number, path: string])[],
  user: keyof Sandbox['tokens'] = 'admin',
): Promise<
  Upgrade & {
    readonly answer: (index: number) => {readonly status: number; readonly head: string; readonly body: string}
  }
> {
  const query = gets.map(([port]) => `ports=${String(port)}`).join('&')
  const upgrade = await stream(
    sandbox,
    `${podPath(pod)}/portforward?${query}`,
    forwardProtocol,
    gets.map(([, path], index) => [2 * index, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`]),
    user,
  )
  return {
    ...upgrade,
    answer: (index) => {
      const text = (upgrade.channels.get(2 * index) ?? Buffer.alloc(0)).subarray(2).toString('utf8')
      const [head = '', ...rest] = text.split('\r\n\r\n')
      const raw = rest.join('\r\n\r\n')
      return {
        status: Number(head.split(' ')[1]),
        head: head.toLowerCase(),
        body: head.toLowerCase().includes('transfer-encoding: chunked') ? unchunk(raw) : raw,
      }
    },
  }
}

/** `shop/cart-1` as an API path. */
export function podPath(pod: string): string {
  const [namespace = '', name = ''] = pod.split('/')
  return `/api/v1/namespaces/${namespace}/pods/${name}`
}

function unchunk(raw: string): string {
  let rest = Buffer.from(raw)
  const chunks: Buffer[] = []
  for (;;) {
    const at = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.subarray(0, Math.max(at, 0)).toString(), 16)
    if (at < 0 || !(length > 0)) return Buffer.concat(chunks).toString('utf8')
    chunks.push(rest.subarray(at + 2, at + 2 + length))
    rest = rest.subarray(at + 2 + length + 2)
  }
}
