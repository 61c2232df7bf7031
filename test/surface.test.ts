import {expect, test} from '@jest/globals'
import type {Command} from '@oclif/core/command'
import {COMMANDS} from '../src/commands.generated.ts'
import {EXIT_CODES} from '../src/lib/cli/exit-codes.ts'
import {OUTPUT_FORMATS} from '../src/lib/report/output-format.ts'

/** `-n, --namespace=NAME…`, as scripts of users hold it, with its default. */
function flagText([name, flag]: readonly [string, Command.Flag.Cached]): string {
  const letter = flag.char === undefined ? '' : `-${flag.char}, `
  const no = flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''
  if (flag.type === 'boolean') return `${letter}--${no}${name}${envText(flag)}`
  const values = flag.options?.join('|') ?? flag.helpValue?.toString() ?? 'VALUE'
  const fallback: unknown = flag.default
  const standard = typeof fallback === 'string' ? ` [${fallback}]` : ''
  return `${letter}--${name}=${values}${flag.multiple === true ? '…' : ''}${standard}${envText(flag)}`
}

function envText({env}: Command.Flag.Cached): string {
  return env === undefined ? ' (not from the environment)' : ''
}

function argText([name, arg]: readonly [string, Command.Arg.Cached]): string {
  const text = `${name.toUpperCase()}${'multiple' in arg && arg.multiple ? '…' : ''}`
  return arg.required === true ? text : `[${text}]`
}

// What users' scripts stand on. A change here is a change for them: it belongs into the changelog.
test('the commands, their aliases, arguments, flags, letters and defaults are these', () => {
  const surface = COMMANDS.map(({manifest}) =>
    [
      [manifest.id.replaceAll(':', ' '), ...Object.entries(manifest.args).map(argText)].join(' '),
      ...manifest.aliases.map((alias) => `  also: ${alias}`),
      ...Object.entries(manifest.flags).map((entry) => `  ${flagText(entry)}`),
    ].join('\n'),
  )

  expect(surface.join('\n')).toMatchSnapshot()
})

test('the exit codes and the output formats are these', () => {
  const codes = Object.entries(EXIT_CODES).map(([name, {code}]) => `${code} ${name}`)

  expect(codes).toEqual(['0 ok', '1 findings', '2 usage', '3 incomplete', '4 nothing', '70 bug', '130 interrupted'])
  expect(OUTPUT_FORMATS).toEqual([
    'table',
    'wide',
    'json',
    'yaml',
    'ndjson',
    'name',
    'jsonpath=TEMPLATE',
    'custom-columns=NAME:.path,…',
  ])
})
