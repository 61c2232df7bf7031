import {Readable, Writable} from 'node:stream'
import {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import {ChannelSocket, describeEnd, type SocketEnd} from './channel-socket.ts'
import {type CommandEnd, readCommandStatus} from './command-status.ts'
import {podName, podPath} from '../pod-path.ts'
import {CHANNEL_BUFFER_BYTES} from './port-stream.ts'
import type {KubeSession} from '../connect/session.ts'

/** v5 first: servers since 1.29 know it, and it alone can end the input while the output goes on. */
const V5 = 'v5.channel.k8s.io'
const PROTOCOLS = [V5, 'v4.channel.k8s.io']
const STDIN = 0
const STDOUT = 1
const STDERR = 2
const STATUS = 3
/** v5: the channel named in the payload carries no more. */
const CLOSE = 255
const LONGEST_STDERR = 4096
const LONGEST_STATUS = 64 * 1024
/** A server that has said how the command ended closes; one that does not must not hold the answer. */
const CLOSE_GRACE_MS = 1000

/** A command in a container, without a terminal. */
export interface CommandRun {
  /** Standard output; ends when the command has ended, whatever its exit code. */
  readonly stdout: Readable
  /**
   * How it ended, once `stdout` can hold no more. Throws ProbeError `connection-lost` where the connection went before
   * the server said how.
   */
  ended(): Promise<CommandEnd>
  /** Standard error, its first 4 KB. */
  readonly stderr: string
  close(): void
}

/** A command that is spoken with. */
export interface SpokenCommand extends CommandRun {
  /** Standard input. Errors once the connection has gone, which the end of the output tells too. */
  readonly stdin: Writable
  /** Whether the input's end reaches the command (v5); with v4 nothing but the end of the whole connection says it. */
  readonly canEndInput: boolean
}

/** Starts a command in a pod's container, without input. Throws ProbeError where the upgrade is refused. */
export async function runCommand(
  session: KubeSession,
  pod: PodRef,
  container: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<CommandRun> {
  return await startRun(session, pod, container, command, signal, [])
}

/** Starts a command that is spoken with. Throws ProbeError where the upgrade is refused. */
export async function runSpokenCommand(
  session: KubeSession,
  pod: PodRef,
  container: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<SpokenCommand> {
  return await startRun(session, pod, container, command, signal, [['stdin', 'true']])
}

async function startRun(
  session: KubeSession,
  pod: PodRef,
  container: string,
  command: readonly string[],
  signal: AbortSignal,
  input: readonly (readonly [string, string])[],
): Promise<SocketRun> {
  const path = podPath(pod, 'exec', [
    ['container', container],
    ...command.map((word) => ['command', word] as const),
    ...input,
    ['stdout', 'true'],
    ['stderr', 'true'],
  ])
  const socket = await session.upgrade(path, PROTOCOLS, signal)
  const where = `${podName(pod)} (${container})`
  return new SocketRun(
    where,
    command[0] ?? '',
    socket.protocol === V5,
    (handlers) => new ChannelSocket(socket, handlers),
  )
}

type Connect = (handlers: ConstructorParameters<typeof ChannelSocket>[1]) => ChannelSocket

class SocketRun implements SpokenCommand {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly canEndInput: boolean
  readonly #where: string
  readonly #program: string
  readonly #socket: ChannelSocket
  readonly #end = Promise.withResolvers<SocketEnd | undefined>()
  #stderr = ''
  #status = ''
  #grace: NodeJS.Timeout | undefined
  #finished = false

  constructor(where: string, program: string, canEndInput: boolean, connect: Connect) {
    this.#where = where
    this.#program = program
    this.canEndInput = canEndInput
    const socket = connect({
      frame: (channel, payload) => this.#receive(channel, payload),
      end: (end) => this.#finish(end),
    })
    this.#socket = socket
    this.stdout = new Readable({highWaterMark: CHANNEL_BUFFER_BYTES, read: () => socket.release(STDOUT)})
    this.stdout.on('error', () => undefined)
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => socket.send(STDIN, chunk, done),
      final: (done) => {
        if (canEndInput) socket.send(CLOSE, Buffer.of(STDIN), done)
        else done()
      },
    })
    // Whoever writes learns of it by the end of the output.
    this.stdin.on('error', () => undefined)
  }

  get stderr(): string {
    return this.#stderr
  }

  async ended(): Promise<CommandEnd> {
    const end = await this.#end.promise
    if (this.#status !== '') return readCommandStatus(this.#status)
    const how = end === undefined ? 'nobody waits for it' : describeEnd(end)
    throw new ProbeError({
      stage: 'fetch',
      code: 'connection-lost',
      message: `Cannot tell how ${this.#program} ended in ${this.#where}: the connection was lost, ${how}`,
      hint: 'The pod may have restarted: try again',
    })
  }

  close(): void {
    this.#finish(undefined)
    this.stdin.destroy()
    this.stdout.destroy()
    this.#socket.close()
  }

  #receive(channel: number, payload: Buffer): void {
    if (this.#finished) return
    // Others are ignored: 255 is v5's "no more on this channel", and the socket's own end says as much.
    if (channel === STDOUT) {
      if (!this.stdout.push(payload)) this.#socket.hold(STDOUT)
    } else if (channel === STDERR) {
      this.#stderr = (this.#stderr + payload.toString()).slice(0, LONGEST_STDERR)
    } else if (channel === STATUS) {
      this.#status = (this.#status + payload.toString()).slice(0, LONGEST_STATUS)
    }
    if (this.#status !== '') this.#awaitClose()
  }

  /** Output may still follow the status, and a reader that is busy holds up the socket's own end. */
  #awaitClose(): void {
    clearTimeout(this.#grace)
    this.#grace = setTimeout(() => {
      if (this.#socket.isHeld) this.#awaitClose()
      else this.#finish(undefined)
    }, CLOSE_GRACE_MS)
  }

  #finish(end: SocketEnd | undefined): void {
    if (this.#finished) return
    this.#finished = true
    clearTimeout(this.#grace)
    if (!this.stdout.destroyed) this.stdout.push(null)
    this.#end.resolve(end)
    if (end === undefined) this.#socket.close()
  }
}
