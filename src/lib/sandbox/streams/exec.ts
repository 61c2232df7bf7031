import {PassThrough} from 'node:stream'
import type {Readable} from 'node:stream'
import type {RawData, WebSocket} from 'ws'
import type {SimulatedContainer} from '../simulated-pod.ts'
import {runCommand} from './exec-command.ts'
import type {AskPort} from './exec-command.ts'
import {frameBytes, sendFrame} from './frames.ts'
import {BrokenAnswer} from './serve-pod-port.ts'

/** Protocols of exec, best first; v5 alone can close stdin. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

const stdinChannel = 0
const stdoutChannel = 1
const stderrChannel = 2
const statusChannel = 3
/** v5: the channel named in the payload ends. */
const closeChannel = 255

/**
 * Serves an exec: stdin on channel 0, stdout on 1, stderr on 2, and at the end a Status on 3 (kubelet
 * `remotecommand/exec.go`).
 */
export async function serveExec(
  socket: WebSocket,
  container: SimulatedContainer,
  command: readonly string[],
  ask: AskPort,
  nowMs: () => number,
): Promise<void> {
  try {
    const result = await runCommand(container, command, ask, nowMs, stdinOf(socket))
    // The other end learns first that both channels are there, as a kubelet does it.
    await sendFrame(socket, stdoutChannel, new Uint8Array())
    for await (const chunk of result.stdout) {
      if (chunk.length > 0) await sendFrame(socket, stdoutChannel, chunk)
    }
    if (result.stderr !== '') await sendFrame(socket, stderrChannel, Buffer.from(result.stderr))
    await sendFrame(socket, statusChannel, Buffer.from(JSON.stringify(endOf(result.exitCode, result.failure))))
    socket.close(1000)
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error
    // The command dies with its container: no status follows.
    if (error.scope === 'stream') socket.terminate()
    else socket.close(1000)
  }
}

/** What the client writes; it ends with v5's word for it, or with the connection. */
function stdinOf(socket: WebSocket): Readable {
  const stdin = new PassThrough()
  socket.on('message', (message: RawData) => {
    const bytes = frameBytes(message)
    if (stdin.writableEnded) return
    if (bytes[0] === stdinChannel) stdin.write(bytes.subarray(1))
    else if (bytes[0] === closeChannel && bytes[1] === stdinChannel) stdin.end()
  })
  socket.on('close', () => stdin.end())
  return stdin
}

function endOf(exitCode: number, failure: string | undefined): unknown {
  if (failure !== undefined) {
    const message = `error executing command in container: ${failure}`
    return {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: {causes: [{message}]},
      code: 500,
    }
  }
  if (exitCode === 0) return {metadata: {}, status: 'Success'}
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command, exit code ${String(exitCode)}`,
    reason: 'NonZeroExitCode',
    details: {causes: [{reason: 'ExitCode', message: String(exitCode)}]},
  }
}
