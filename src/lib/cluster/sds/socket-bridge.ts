import {mkdtemp, rm} from 'node:fs/promises'
import net from 'node:net'
import {join} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import {ProbeError} from '../../domain/failure.ts'
import {errorLine} from '../error-text.ts'

/** A program's input and output. */
export interface Line {
  readonly stdin: Writable
  readonly stdout: Readable
}

/** A Unix socket that leads to a line, for a library that connects to an address itself. */
export interface SocketBridge extends AsyncDisposable {
  readonly path: string
  /** What the other end said where it was text, which no HTTP/2 begins with; at most 1 KB of it. */
  readonly said: () => string
  /** Ends the connection; where none has come, none will. */
  close(): void
}

/** `sun_path` has 104 bytes on macOS, 108 on Linux. */
const LONGEST_PATH = 100
const LONGEST_TEXT = 1024

/**
 * Listens in a directory that only the user may enter (0700), for exactly one connection: once that is there, or after
 * `close`, the socket and its directory are gone. What the line prints is overwritten when it has been passed on.
 * Throws ProbeError where no socket can be made in `tempDir`.
 */
export async function openSocketBridge(line: Line, tempDir: string): Promise<SocketBridge> {
  const server = net.createServer({allowHalfOpen: true})
  const directory = await makeDirectory(tempDir)
  const path = join(directory, 's')
  let connection: net.Socket | undefined
  let said = ''
  let removed: Promise<void> | undefined
  const remove = async (): Promise<void> => {
    server.close()
    await (removed ??= rm(directory, {recursive: true, force: true}))
  }
  const close = (): void => {
    server.close()
    connection?.destroy()
  }
  server.on('connection', (socket) => {
    if (connection !== undefined) {
      socket.destroy()
      return
    }
    connection = socket
    // What it rejects with is told when the bridge is disposed of.
    remove().catch(() => undefined)
    connect(line, socket, (text) => {
      said = (said + text).slice(0, LONGEST_TEXT)
    })
  })
  try {
    if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error('its path is too long for a socket')
    await listen(server, path)
  } catch (error) {
    await remove()
    throw noSocket(tempDir, error)
  }
  return {
    path,
    said: () => said,
    close,
    async [Symbol.asyncDispose]() {
      close()
      overwriteRest(line.stdout)
      await remove()
    },
  }
}

async function makeDirectory(tempDir: string): Promise<string> {
  try {
    return await mkdtemp(join(tempDir, 'agentctl-'))
  } catch (error) {
    throw noSocket(tempDir, error)
  }
}

async function listen(server: net.Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

function noSocket(tempDir: string, cause: unknown): ProbeError {
  const message = `Cannot make a socket in ${tempDir}: ${errorLine(cause)}`
  const hint = 'Name a directory with a short path that can be written to: TMPDIR=/tmp'
  return new ProbeError({stage: 'dial', code: 'no-source', message, hint}, {cause})
}

/** Passes on both ways, at the pace of who reads. */
function connect({stdin, stdout}: Line, socket: net.Socket, heard: (text: string) => void): void {
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    if (!stdin.write(chunk)) socket.pause()
  })
  stdin.on('drain', () => socket.resume())
  socket.on('close', () => stdin.end())
  socket.on('end', () => stdin.end())

  let isText: boolean | undefined
  stdout.on('data', (chunk: Buffer) => {
    isText ??= (chunk[0] ?? 0) >= 0x20
    if (isText) heard(chunk.toString('latin1'))
    if (!socket.write(chunk, () => chunk.fill(0))) stdout.pause()
  })
  socket.on('drain', () => stdout.resume())
  stdout.on('end', () => socket.end())
  stdout.on('close', () => socket.destroy())
}

/** Nobody takes the rest any more, and it may hold what must not stay. */
function overwriteRest(stdout: Readable): void {
  stdout.removeAllListeners('data')
  stdout.on('data', (chunk: Buffer) => chunk.fill(0))
  stdout.resume()
}
