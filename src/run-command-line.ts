import {Config} from '@oclif/core/config'
import {normalizeArgv} from '@oclif/core/help'
import {COMMANDS, PJSON} from './commands.generated.ts'
import {HelpText} from './lib/cli/help.ts'
import type {Io} from './lib/cli/io.ts'
import {createPlugin} from './lib/cli/plugin.ts'
import {printError} from './lib/cli/print-error.ts'
import {unknownCommand} from './lib/cli/unknown-command.ts'

/** Hands a command line to oclif with our one plugin; an error becomes text on stderr and an exit code of the table. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<void> {
  try {
    await dispatch(argv, io)
  } catch (error) {
    io.setExitCode(printError(error, io))
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<void> {
  const plugin = createPlugin(COMMANDS, PJSON, io)
  const config = await Config.load({
    root: plugin.root,
    pjson: PJSON,
    plugins: new Map([[plugin.name, plugin]]),
  })
  const isHelp = isHelpWanted(argv)
  const words = isHelp ? argv.filter((word, index) => !isHelpWord(word, index)) : argv
  const [id = '', ...rest] = normalizeArgv(config, [...words])
  const command = config.findCommand(id)
  const isTopic = command === undefined && config.findTopic(id) !== undefined
  if (isHelp && words.every((word) => word.startsWith('-'))) await new HelpText(config, io).showHelp([])
  else if (command === undefined && !isTopic) throw unknownCommand(words, commandNames(), config.bin)
  else if (isHelp || isTopic) await new HelpText(config, io).showHelp([id])
  else await config.runCommand(id, rest, command)
}

/** `help`, `--help` and `-h`, and no word at all. */
function isHelpWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return argv.length === 0 || words.some(isHelpWord)
}

function isHelpWord(word: string, index: number): boolean {
  return word === '--help' || word === '-h' || (word === 'help' && index === 0)
}

function commandNames(): readonly string[] {
  return COMMANDS.map(({manifest}) => manifest.id.replaceAll(':', ' '))
}
