import {Command} from '@oclif/core/command'
import type {Input, ParserOutput} from '@oclif/core/interfaces'
import type {PodItem} from '../domain/report.ts'
import {envWords} from './flags/env-words.ts'
import {inspectPods} from './inspect-pods.ts'
import type {PodCommand, PodCommandFlags} from './pod-command.ts'
import type {Io} from './io.ts'
import {isMemoryPlugin} from './plugin.ts'
import {printError} from './print-error.ts'

type Named = Record<string, unknown>

/** What all commands share: the process as a value, and errors that end with a code of the table. */
export abstract class BaseCommand extends Command {
  protected get io(): Io {
    const plugin = [...this.config.plugins.values()].find(isMemoryPlugin)
    if (plugin === undefined) throw new Error('The plugin carries no io')
    return plugin.io
  }

  /** How often `-v` was given: oclif knows only whether. */
  protected get verbosity(): number {
    const end = this.argv.indexOf('--')
    const words = end === -1 ? this.argv : this.argv.slice(0, end)
    return words.reduce((sum, word) => sum + verboseCount(word), 0)
  }

  /** Runs a command over pods: from flags and targets to the exit code. */
  protected async inspect<Item extends PodItem>(
    command: PodCommand<Item>,
    flags: PodCommandFlags,
    targets: readonly string[],
  ): Promise<void> {
    const {bin, version} = this.config
    const {argv, verbosity} = this
    await inspectPods(command, flags, {bin, version, id: this.id ?? '', argv, targets, verbosity}, this.io)
  }

  /** Parses with the defaults that the environment sets. oclif's own way takes them from the process, and no lists. */
  protected override async parse<F extends Named, B extends Named, A extends Named>(
    options: Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const {flags} = options
    if (flags === undefined) return await super.parse<F, B, A>(options, argv)
    const bare = {...options, flags: withoutEnv(flags)}
    const parsed = await super.parse<F, B, A>(bare, argv)
    const given = new Set(parsed.raw.map((token) => (token.type === 'flag' ? token.flag : token.arg)))
    const words = envWords(flags, this.io.env, given)
    return words.length === 0 ? parsed : await super.parse<F, B, A>(bare, [...words, ...argv])
  }

  protected override catch(error: unknown): Promise<void> {
    this.io.setExitCode(printError(error, this.io))
    // Flags that were refused were never parsed, which oclif would tell as a mistake of the program.
    this.parsed = true
    return Promise.resolve()
  }
}

function withoutEnv<Flags extends object>(flags: Flags): Flags {
  const bare = Object.entries(flags).map(([name, flag]: [string, object]) => [name, {...flag, env: undefined}] as const)
  return Object.assign({...flags}, Object.fromEntries(bare))
}

function verboseCount(word: string): number {
  if (word === '--verbose') return 1
  return /^-v+$/.test(word) ? word.length - 1 : 0
}
