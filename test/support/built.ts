import {type ChildProcess, spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Both outputs of the build: how each is started. `npm test` builds them before it runs this. */
export const OUTPUTS: readonly (readonly [name: string, command: readonly [string, ...string[]]])[] = [
  ['the Node package', [process.execPath, join(ROOT, 'bin', 'run.js')]],
  ['the executable', [join(ROOT, 'dist', 'exe', process.platform === 'win32' ? 'agentctl.exe' : 'agentctl')]],
]

for (const [name, command] of OUTPUTS) {
  const file = command.at(-1) ?? ''
  if (!existsSync(file)) throw new Error(`${name} is not built: ${file} is missing`)
}

export interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Starts one output as a child process with piped streams and nothing of this process's settings but `env`. */
export function start(
  command: readonly [string, ...string[]],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [program, ...before] = command
  return spawn(program, [...before, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env},
  })
}

/** Runs it to its end, reading everything it says. */
export async function run(
  command: readonly [string, ...string[]],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin = '',
): Promise<Finished> {
  const child = start(command, args, env)
  child.stdin?.end(stdin)
  const [stdout, stderr, end] = await Promise.all([textOf(child.stdout), textOf(child.stderr), endOf(child)])
  return {stdout, stderr, ...end}
}

/** How a child ended. */
export async function endOf(child: ChildProcess): Promise<Pick<Finished, 'code' | 'signal'>> {
  return await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({code, signal}))
  })
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = []
  if (stream !== null) for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
