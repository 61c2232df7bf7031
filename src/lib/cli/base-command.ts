import {Command} from '@oclif/core/command'
import type {PodItem} from '../domain/report.ts'
import {inspectPods, type PodCommand, type PodCommandFlags} from './inspect-pods.ts'
import type {Io} from './io.ts'
import {isMemoryPlugin} from './plugin.ts'
import {printError} from './print-error.ts'

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
    const {bin} = this.config
    const {argv, verbosity} = this
    await inspectPods(command, flags, {bin, id: this.id ?? '', argv, targets, verbosity}, this.io)
  }

  protected override catch(error: unknown): Promise<void> {
    this.io.setExitCode(printError(error, this.io))
    // Flags that were refused were never parsed, which oclif would tell as a mistake of the program.
    this.parsed = true
    return Promise.resolve()
  }
}

function verboseCount(word: string): number {
  if (word === '--verbose') return 1
  return /^-v+$/.test(word) ? word.length - 1 : 0
}
