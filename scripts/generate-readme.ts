import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {PassThrough} from 'node:stream'
import {COMMANDS} from '../src/commands.generated.ts'
import {EXIT_CODES} from '../src/lib/cli/exit-codes.ts'
import {startSandbox} from '../src/lib/sandbox/start-sandbox.ts'
import {main} from '../src/main.ts'

const TARGET = join(import.meta.dirname, '..', 'README.md')

/** The moment of the demo in the README: what it shows must not change from run to run. */
const nowMs = (): number => Date.parse('2026-06-01T12:00:00Z')

/** Characters a line of the demo: without what is different at every start, such as serial numbers. */
const COLUMNS = 100

const DEMO = ['secrets', 'diff', '-A', '--show', 'problems']

const SECTIONS: Readonly<Record<string, () => string | Promise<string>>> = {
  demo,
  commands: () =>
    table(
      ['command', 'answers with'],
      COMMANDS.map(({manifest}) => [usageOf(manifest.id, manifest.usage), manifest.summary ?? '']),
    ),
  'exit-codes': () =>
    table(
      ['code', 'when'],
      Object.values(EXIT_CODES).map(({code, when}) => [String(code), when]),
    ),
}

function usageOf(id: string, usage: string | readonly string[] | undefined): string {
  const [text = ''] = [usage].flat()
  const words = text.replace('<%= command.id %>', id.replaceAll(':', ' ')).replace(' [FLAGS]', '')
  return `\`agentctl ${words}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What the demo says in a terminal: its rows, and the count of pods that comes last on stderr. */
async function demo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentctl-readme-'))
  const sandbox = await startSandbox({nowMs})
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, sandbox.kubeconfig(), {mode: 0o600})
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const texts = Promise.all([readAll(stdout), readAll(stderr)])
    await main([...DEMO, '--deadline', '5s', '--settle', '0', '--color', 'never'], {
      stdin: new PassThrough().end(),
      stdout,
      stderr,
      isStdoutTerminal: true,
      isStderrTerminal: true,
      isStdinTerminal: false,
      columns: COLUMNS,
      env: {KUBECONFIG: kubeconfig},
      cwd: folder,
      homeDir: folder,
      tempDir: folder,
      platform: process.platform,
      nowMs,
      self: [process.execPath],
      setExitCode: () => {},
    })
    stdout.end()
    stderr.end()
    const [rows, notes] = await texts
    return ['```', `$ agentctl ${DEMO.join(' ')}`, rows.trimEnd(), notes.trimEnd().split('\n').at(-1), '```'].join('\n')
  } finally {
    await sandbox.close()
    await rm(folder, {recursive: true, force: true})
  }
}

async function readAll(stream: PassThrough): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}

async function fillIn(text: string): Promise<string> {
  let filled = text
  for (const [name, write] of Object.entries(SECTIONS)) {
    const between = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`)
    if (!between.test(filled)) throw new Error(`README.md has no section ${name}`)
    const content = await write()
    filled = filled.replace(between, (_all, start: string, end: string) => `${start}${content}\n${end}`)
  }
  return filled
}

const before = await readFile(TARGET, 'utf8')
const after = await fillIn(before)
if (process.argv.includes('--check')) {
  if (before !== after) throw new Error('README.md is out of date: run npm run generate')
} else {
  await writeFile(TARGET, after)
}
