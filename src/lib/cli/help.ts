import type {Command} from '@oclif/core/command'
import {CommandHelp, Help} from '@oclif/core/help'
import type {Config} from '@oclif/core/interfaces'
import {EXIT_CODES} from './exit-codes.ts'
import type {Io} from './io.ts'

/** Widest line of a help text: longer ones are hard to read. */
const MAX_WIDTH = 120

const LIST = {indentation: 2, spacer: '\n'}

/** First what a command does and how it is used, then its flags in the order of their groups, then how it ends. */
class CommandHelpText extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const sections = super.sections()
    const order = ['USAGE', 'DESCRIPTION', 'EXAMPLES', 'ALIASES', 'ARGUMENTS', 'FLAGS']
    return [
      ...order.flatMap((wanted) => sections.filter(({header}) => header === wanted)),
      {header: 'ENVIRONMENT', generate: ({flags}) => this.wrap(environmentText(flags))},
      ...(this.command.id.startsWith('sandbox')
        ? []
        : [{header: 'EXIT CODES', generate: () => this.renderList(exitCodeRows(), LIST)}]),
    ]
  }

  protected override flags(flags: Command.Flag.Any[]): Array<[string, string | undefined]> | undefined {
    // That every flag has its variable is said once.
    return super.flags(flags.map(withoutEnv))
  }

  /** Where descriptions stand below their flags, oclif counts two columns fewer than it indents. */
  override renderList(...[input, opts]: Parameters<CommandHelp['renderList']>): string {
    const text = super.renderList(input, opts)
    const isTooWide = text.split('\n').some(({length}) => length + opts.indentation > this.opts.maxWidth)
    return isTooWide ? super.renderList(input, {...opts, indentation: opts.indentation + 2, multiline: true}) : text
  }

  protected override description(): string | undefined {
    const {description} = this.command
    // Lines of one paragraph are broken where the terminal ends, not where the source does.
    return description === undefined ? undefined : this.wrap(description.replaceAll(/(?<!\n)\n(?!\n)/g, ' '))
  }
}

/** Help as oclif lays it out, written where the process says. */
export class HelpText extends Help {
  protected override CommandHelpClass = CommandHelpText
  readonly #io: Io

  constructor(config: Config, io: Io) {
    super(config, {maxWidth: Math.min(io.columns ?? 80, MAX_WIDTH), flagSortOrder: 'none', hideAliasesFromRoot: true})
    this.#io = io
  }

  protected override log(...lines: string[]): void {
    this.#io.stdout.write(`${lines.join(' ')}\n`)
  }

  protected override showRootHelp(): Promise<void> {
    const {bin, pjson, topicSeparator} = this.config
    const commands = this.sortedCommands
      .filter(({id, aliases}) => !aliases.includes(id))
      .map(({id, summary}): [string, string | undefined] => [id.replaceAll(':', topicSeparator), summary])
    const sections: readonly (readonly [string, string | readonly [string, string | undefined][]])[] = [
      ['USAGE', `$ ${bin} COMMAND [TARGET...] [FLAGS]`],
      ['COMMANDS', commands],
      [
        'EXAMPLES',
        [
          `$ ${bin} sandbox run -- ${bin} secrets diff -A`,
          `$ ${bin} secrets diff -n shop`,
          `$ ${bin} secrets diff -A -o json`,
        ].join('\n'),
      ],
      ['EXIT CODES', exitCodeRows()],
    ]
    this.log(this.wrap(String(pjson['description'] ?? '')))
    for (const [header, body] of sections) {
      const text = typeof body === 'string' ? body : this.renderList([...body], LIST)
      this.log(`\n${this.section(header, text)}`)
    }
    this.log(`\n${this.wrap(`${bin} COMMAND --help explains one command.`)}`)
    return Promise.resolve()
  }
}

function exitCodeRows(): [string, string][] {
  return Object.values(EXIT_CODES).map(({code, when}) => [String(code), when])
}

function environmentText(flags: readonly Command.Flag.Any[]): string {
  const without = flags.filter(({env}) => env === undefined).map(({name}) => `--${name}`)
  const example = flags.find(({env}) => env !== undefined)
  if (example?.env === undefined) return ''
  const but = without.length === 0 ? '' : `, but for ${without.join(', ')}`
  return `AGENTCTL_<FLAG> sets the default of a flag (${example.env} that of --${example.name})${but}.`
}

function withoutEnv(flag: Command.Flag.Any): Command.Flag.Any {
  const copy = {...flag}
  delete copy.env
  return copy
}
