import {run} from '@oclif/core/run'
import {COMMANDS, PJSON} from './commands.generated.ts'
import {type Io, processIo} from './lib/cli/io.ts'
import {createPlugin} from './lib/cli/plugin.ts'
import {printError} from './lib/cli/print-error.ts'

/** Runs one command line; the exit code is set, the process is not ended. */
export async function main(argv: readonly string[], io: Io): Promise<void> {
  const plugin = createPlugin(COMMANDS, PJSON, io)
  try {
    await run([...argv], {root: plugin.root, pjson: PJSON, plugins: new Map([[plugin.name, plugin]])})
  } catch (error) {
    io.setExitCode(printError(error, io))
  }
}

/** Starts the process: a reader that closes the pipe ends the run quietly. */
export async function start(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      // oxlint-disable-next-line unicorn/no-process-exit -- nobody reads any more: there is nothing left to do
      process.exit(0)
    })
  }
  await main(process.argv.slice(2), processIo())
}
