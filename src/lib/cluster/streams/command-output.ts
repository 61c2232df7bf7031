import {ProbeError} from '../../domain/failure.ts'
import type {CommandRun} from './command-run.ts'
import {type CommandPlace, explainCommand} from './explain-command.ts'

/** A command's standard output, from which a beginning can be taken before the rest is handed on. */
export interface CommandOutput {
  /** The bytes so far, at least `atLeast(bytes)` of them unless the output is over. */
  peek(isEnough: (bytes: Buffer) => boolean): Promise<Buffer>
  /**
   * What has not been taken, to its end. Throws ProbeError where the command then turns out to have failed: what it
   * printed is not the whole.
   */
  rest(skip?: number): AsyncGenerator<Uint8Array>
  /** Throws ProbeError unless the command ended with exit code 0; only once the output is over. */
  check(): Promise<void>
}

export function readOutput(run: CommandRun, place: CommandPlace): CommandOutput {
  const chunks = run.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head: Buffer = Buffer.alloc(0)
  let isOver = false

  async function pull(): Promise<Buffer | undefined> {
    try {
      const next = await chunks.next()
      if (next.done !== true) return next.value
    } catch (error) {
      // Closed by us; `check` says what is missing.
      if (!run.stdout.destroyed) throw error
    }
    isOver = true
    return undefined
  }

  async function check(): Promise<void> {
    const end = await run.ended()
    if (end.type === 'exited' && end.code === 0) return
    throw explainCommand(place, {end, stderr: run.stderr, stdout: head.subarray(0, 1024).toString()})
  }

  return {
    async peek(isEnough) {
      while (!isOver && !isEnough(head)) head = Buffer.concat([head, (await pull()) ?? Buffer.alloc(0)])
      return head
    },
    async *rest(skip = 0) {
      let received = head.length - skip
      try {
        if (received > 0) yield head.subarray(skip)
        for (let chunk = isOver ? undefined : await pull(); chunk !== undefined; chunk = await pull()) {
          received += chunk.length
          yield chunk
        }
        await check()
      } catch (error) {
        throw received > 0 && error instanceof ProbeError ? cutOff(error, received, place) : error
      } finally {
        run.close()
      }
    },
    check,
  }
}

function cutOff(cause: ProbeError, received: number, place: CommandPlace): ProbeError {
  return new ProbeError(
    {
      stage: 'fetch',
      code: 'cut-off',
      message: `Answer of ${place.command[0]} in ${place.pod.namespace}/${place.pod.name} (${place.container}) cut off after ${received} bytes`,
      hint: `Try again; how it ended: ${cause.message}`,
    },
    {cause},
  )
}
