import {type Io, processIo} from './lib/cli/io.ts'
import {settleUser} from './lib/cli/settle-user.ts'
import {versionText} from './lib/cli/version.ts'
import packageJson from '../package.json' with {type: 'json'}

/** Runs one command line; the exit code is set, the process is not ended. */
export async function main(argv: readonly string[], io: Io): Promise<void> {
  if (argv.length === 1 && argv[0] === '--version') {
    // Needs no command, so nothing of the framework is loaded for it.
    io.stdout.write(`${versionText(packageJson.name, packageJson.version, process)}\n`)
    return
  }
  const {runCommandLine} = await import('./run-command-line.ts')
  await runCommandLine(argv, io)
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
  settleUser(process.env)
  await main(process.argv.slice(2), processIo())
}
