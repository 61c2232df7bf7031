import {spawn} from 'node:child_process'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {constants, tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {RunError} from '../domain/failure.ts'
import type {SandboxUserName} from './api/users.ts'
import {startSandbox} from './start-sandbox.ts'
import type {Sandbox, SandboxOptions} from './start-sandbox.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface SandboxRunOptions extends SandboxOptions {
  /** How to start this program itself: the executable, and what it needs before its own arguments. */
  readonly self: readonly [string, ...string[]]
  /** Who the kubeconfig logs in as; `admin` if absent. */
  readonly user?: SandboxUserName
}

/** A sandbox with its kubeconfig on disk, for as long as `use` runs. */
async function withKubeconfig<Result>(
  options: SandboxRunOptions,
  use: (sandbox: Sandbox, directory: string, kubeconfigPath: string) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startSandbox(options)
  try {
    // mkdtemp makes it for the owner alone.
    const directory = await mkdtemp(join(tmpdir(), 'agentctl-sandbox-'))
    try {
      const path = join(directory, 'kubeconfig')
      await writeFile(path, sandbox.kubeconfig(options.user), {mode: 0o600})
      return await use(sandbox, directory, path)
    } finally {
      await rm(directory, {recursive: true, force: true})
    }
  } finally {
    await sandbox.close()
  }
}

/**
 * Runs a command with `KUBECONFIG` set to a sandbox, and gives its exit code: 128 and the signal's number where a
 * signal ended it. The word `agentctl` means this program, in scripts too, whether or not it is on the PATH.
 * Throws RunError where the command cannot be started.
 */
export async function runInSandbox(
  options: SandboxRunOptions,
  command: readonly string[],
  env: Environment,
): Promise<number> {
  const [program, ...args] = command
  if (program === undefined) throw new RunError(2, 'usage', 'No command to run in the sandbox')
  return await withKubeconfig(options, async (_sandbox, directory, kubeconfigPath) => {
    const [executable, ...before] = program === 'agentctl' ? options.self : [program]
    const path = await shimDirectory(directory, options.self)
    const childEnv = {
      ...env,
      KUBECONFIG: kubeconfigPath,
      ...(path === undefined ? {} : {PATH: [path, env['PATH'] ?? ''].join(delimiter)}),
    }
    return await runChild(executable, [...before, ...args], childEnv)
  })
}

/** Starts a sandbox, says how to use it, and keeps it until `signal` aborts. */
export async function keepSandbox(
  options: SandboxRunOptions,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await withKubeconfig(options, async (sandbox, _directory, kubeconfigPath) => {
    print(
      [
        `The sandbox listens on ${sandbox.url}. In another terminal:`,
        '',
        `  export KUBECONFIG=${kubeconfigPath}`,
        '  agentctl secrets diff -A',
        '',
        'Ctrl-C ends it.',
        '',
      ].join('\n'),
    )
    if (!signal.aborted) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), {once: true}))
    }
    const {apiBytes, podBytes, connections, streams} = sandbox.counters
    print(`It sent ${apiBytes + podBytes} bytes over ${connections} connections and ${streams} streams.\n`)
  })
}

/** A directory for the PATH in which `agentctl` is this program; not on Windows, where a script is no program. */
async function shimDirectory(directory: string, self: readonly string[]): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const path = join(directory, 'bin')
  await mkdir(path)
  const words = self.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  await writeFile(join(path, 'agentctl'), `#!/bin/sh\nexec ${words} "$@"\n`, {mode: 0o700})
  return path
}

async function runChild(executable: string, args: readonly string[], env: Environment): Promise<number> {
  const child = spawn(executable, args, {stdio: 'inherit', env: {...env}})
  // A terminal sends Ctrl-C to the child itself; elsewhere it must be passed on, as the others always.
  const passed: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
  const pass = (signal: NodeJS.Signals): void => {
    child.kill(signal)
  }
  const onInterrupt = (): void => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  }
  for (const signal of passed) process.on(signal, pass)
  process.on('SIGINT', onInterrupt)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => {
        reject(new RunError(2, 'command-failed', `Cannot run ${executable}: ${error.message}`, [], {cause: error}))
      })
      child.on('exit', (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
      })
    })
  } finally {
    for (const signal of passed) process.off(signal, pass)
    process.off('SIGINT', onInterrupt)
  }
}
