import {expect, test} from '@jest/globals'
import {COMMANDS} from '../../src/commands.generated.ts'
import {EXIT_CODES} from '../../src/lib/cli/exit-codes.ts'
import {runCommand} from '../support/run-command.ts'

const NAMES = COMMANDS.map(({manifest}) => manifest.id.replaceAll(':', ' '))

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists every command and every exit code', async (argv) => {
  const {stdout, stderr, exitCode} = await runCommand(argv)

  for (const name of NAMES) expect(stdout).toMatch(new RegExp(`^  ${name}  `, 'm'))
  for (const {code} of Object.values(EXIT_CODES)) expect(stdout).toMatch(new RegExp(`^  ${code}  `, 'm'))
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})

test.each(NAMES)('%s says what it does before it lists its flags, with examples', async (name) => {
  const {stdout, exitCode} = await runCommand([...name.split(' '), '--help'])

  const heads = [...stdout.matchAll(/^[A-Z][A-Z ]+$/gm)].map(([head]) => head)
  expect(heads.slice(0, 3)).toEqual(['USAGE', 'DESCRIPTION', 'EXAMPLES'])
  expect(stdout).toContain(`  $ agentctl ${name} `)
  expect(exitCode).toBe(0)
})

test.each([80, 100])('no line of help is wider than a terminal of %i columns', async (columns) => {
  for (const argv of [[], ...NAMES.map((name) => name.split(' '))]) {
    const {stdout} = await runCommand([...argv, '--help'], {columns})

    expect(Math.max(...stdout.split('\n').map(({length}) => length))).toBeLessThanOrEqual(columns)
  }
})

test.each([[['help', 'secrets', 'diff']], [['secrets', 'diff', '-h']], [['secrets', 'diff', '-n', 'shop', '--help']]])(
  '%j is the help of secrets diff',
  async (argv) => {
    const asked = await runCommand(['secrets', 'diff', '--help'])

    expect(await runCommand(argv)).toEqual(asked)
  },
)

test('a topic lists its commands', async () => {
  const {stdout, exitCode} = await runCommand(['secrets'])

  expect(stdout).toMatch(/^ {2}secrets diff {2}/m)
  expect(stdout).toMatch(/^ {2}secrets list {2}/m)
  expect(stdout).not.toContain('agents list')
  expect(exitCode).toBe(0)
})

test.each([
  [['secrets', 'dif', '-A'], 'No command "secrets dif"', 'Did you mean: agentctl secrets diff'],
  [['diff', '-A'], 'No command "diff"', 'Did you mean: agentctl secrets diff'],
  [
    ['secrets', 'nope'],
    'No command "secrets nope"',
    'The commands are secrets diff, secrets list, secrets roots, secrets show',
  ],
  [['nope'], 'No command "nope"', `The commands are ${NAMES.join(', ')}`],
  [['help', 'nope'], 'No command "nope"', `The commands are ${NAMES.join(', ')}`],
  [['version'], 'No command "version"', 'agentctl --version tells it'],
  [
    ['-n', 'shop', 'secrets', 'diff'],
    'Expected a command, got "-n"',
    'Flags follow the command: agentctl COMMAND -n …',
  ],
])('%j is a usage error that leads on', async (argv, message, hint) => {
  expect(await runCommand(argv)).toEqual({stdout: '', stderr: `Error: ${message}\nHint: ${hint}\n`, exitCode: 2})
})

test('what follows -- is no question for help', async () => {
  const {stderr, exitCode} = await runCommand(['agents', 'list', '-o', 'nope', '--', '--help'])

  expect(stderr).toContain('Bad value for --output')
  expect(exitCode).toBe(2)
})
