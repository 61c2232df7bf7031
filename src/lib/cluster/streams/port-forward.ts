import type {Duplex} from 'node:stream'
import {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import {ChannelSocket, describeEnd, type SocketEnd} from './channel-socket.ts'
import {explainForwardError} from './explain-forward-error.ts'
import {podName, podPath} from '../pod-path.ts'
import {PortPrefix} from './port-prefix.ts'
import {PortStream} from './port-stream.ts'
import type {KubeSession} from '../connect/session.ts'

/** v5 is not offered for forwarding, and its older kin are the same. */
const PROTOCOLS = ['v4.channel.k8s.io']
const LONGEST_ERROR_TEXT = 4096

/** Some ports of one pod over one WebSocket, each as one TCP connection. */
export interface PortForward {
  /** Settles, and never rejects, once the other end has sent anything at all, or is gone. */
  readonly answered: Promise<void>
  readonly ports: readonly number[]
  /** `false` once the socket has ended. */
  readonly isOpen: boolean
  /** The port's connection, the same each time. Ends where the other end ends it. The port must be one of those asked. */
  stream(port: number): Duplex
  /** Whether the port's connection ended in a way that cannot be the end of an answer. */
  hasFailed(port: number): boolean
  /** Why the port's connection ended before its time, in the other end's own words where it gave any. */
  explainEnd(port: number): ProbeError
  close(): void
}

/** Forwards ports. Throws ProbeError where the upgrade is refused; a closed port is told by its own stream. */
export async function openPortForward(
  session: KubeSession,
  pod: PodRef,
  ports: readonly number[],
  signal: AbortSignal,
): Promise<PortForward> {
  const path = podPath(
    pod,
    'portforward',
    ports.map((port) => ['ports', String(port)]),
  )
  const socket = await session.upgrade(path, PROTOCOLS, signal)
  return new SocketForward(pod, ports, (handlers) => new ChannelSocket(socket, handlers))
}

interface Line {
  readonly port: number
  readonly stream: PortStream
  /** Of the data channel, and of the error channel. */
  readonly prefixes: readonly [PortPrefix, PortPrefix]
  errorText: string
}

type Connect = (handlers: ConstructorParameters<typeof ChannelSocket>[1]) => ChannelSocket

class SocketForward implements PortForward {
  readonly answered: Promise<void>
  readonly ports: readonly number[]
  readonly #pod: PodRef
  readonly #lines: readonly Line[]
  readonly #socket: ChannelSocket
  readonly #used = new Set<number>()
  #heard: () => void = () => undefined
  #isOpen = true
  #end: SocketEnd | undefined
  /** What the other end sent against the protocol. */
  #violation = ''

  constructor(pod: PodRef, ports: readonly number[], connect: Connect) {
    this.#pod = pod
    this.ports = ports
    this.answered = new Promise((resolve) => {
      this.#heard = resolve
    })
    this.#socket = connect({
      frame: (channel, payload) => this.#receive(channel, payload),
      end: (end) => this.#finish(end),
    })
    this.#lines = ports.map((port, index) => ({
      port,
      stream: new PortStream(this.#socket, 2 * index, (hasEnded) => this.#leave(port, hasEnded)),
      prefixes: [new PortPrefix(port), new PortPrefix(port)],
      errorText: '',
    }))
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  stream(port: number): Duplex {
    this.#used.add(port)
    return this.#line(port).stream
  }

  hasFailed(port: number): boolean {
    const endedBadly = this.#end !== undefined && this.#end.code !== 1000 && this.#end.code !== 1005
    return this.#line(port).errorText !== '' || this.#violation !== '' || endedBadly
  }

  explainEnd(port: number): ProbeError {
    const {errorText} = this.#line(port)
    if (errorText !== '') return explainForwardError(errorText, port, this.#pod)
    const where = `Cannot reach port ${port} of ${podName(this.#pod)}`
    if (this.#violation !== '') {
      return new ProbeError({stage: 'fetch', code: 'bad-payload', message: `${where}: ${this.#violation}`})
    }
    const how = this.#end === undefined ? '' : `, ${describeEnd(this.#end)}`
    return new ProbeError({
      stage: 'fetch',
      code: 'connection-lost',
      message: `${where}: the connection ended before an answer came${how}`,
      hint: 'The pod may have restarted: try again',
    })
  }

  close(): void {
    for (const {stream} of this.#lines) stream.destroy()
    if (this.#isOpen) this.#hangUp()
  }

  #line(port: number): Line {
    const line = this.#lines.find((line) => line.port === port)
    if (line === undefined) throw new Error(`Port ${port} is not forwarded`)
    return line
  }

  #receive(channel: number, payload: Buffer): void {
    this.#heard()
    const line = this.#lines[channel >> 1]
    if (line === undefined) {
      this.#violate(`the other end used channel ${channel}, which was not asked for`)
      return
    }
    const isError = (channel & 1) === 1
    const data = line.prefixes[isError ? 1 : 0].strip(payload)
    if (typeof data === 'string') this.#violate(data)
    else if (data.length > 0 && isError) this.#fail(line, data)
    else if (data.length > 0) line.stream.receive(data)
  }

  #fail(line: Line, text: Buffer): void {
    line.errorText = (line.errorText + text.toString()).slice(0, LONGEST_ERROR_TEXT)
    line.stream.finish()
  }

  #violate(how: string): void {
    if (this.#violation === '') this.#violation = how
    for (const {stream} of this.#lines) stream.finish()
    this.#hangUp()
  }

  #hangUp(): void {
    this.#isOpen = false
    this.#socket.close()
  }

  #finish(end: SocketEnd): void {
    this.#heard()
    this.#isOpen = false
    this.#end = end
    for (const {stream} of this.#lines) stream.finish()
  }

  /** A TCP connection that still runs cannot be closed alone: with the last of those in use the socket goes. */
  #leave(port: number, hasEnded: boolean): void {
    this.#used.delete(port)
    if (!hasEnded && this.#used.size === 0 && this.#isOpen) this.#hangUp()
  }
}
