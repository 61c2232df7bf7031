import {run} from '@oclif/core/run'
import {COMMANDS, PJSON} from './commands.generated.ts'
import type {Io} from './lib/cli/io.ts'
import {createPlugin} from './lib/cli/plugin.ts'
import {printError} from './lib/cli/print-error.ts'

/** Hands a command line to oclif with our one plugin; an error becomes text on stderr and an exit code of the table. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<void> {
  const plugin = createPlugin(COMMANDS, PJSON, io)
  try {
    await run([...argv], {root: plugin.root, pjson: PJSON, plugins: new Map([[plugin.name, plugin]])})
  } catch (error) {
    io.setExitCode(printError(error, io))
  }
}
