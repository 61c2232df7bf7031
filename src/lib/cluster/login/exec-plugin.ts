import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import type {ProbeError} from '../../domain/failure.ts'
import type {ConnectionDeps, ConnectionOptions} from './connection-options.ts'
import {errorCode} from '../error-text.ts'
import type {ExecEntry} from './kubeconfig-entries.ts'
import {loginFailed, readLoginAnswer, type LoginAnswer} from './login-answer.ts'
import {maskSecrets} from './mask-secrets.ts'

const API_VERSIONS = new Set(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])
const MAX_OUTPUT_BYTES = 1024 * 1024
const KEPT_STDERR_BYTES = 4096
/** A login program asks other servers, and at a terminal a person, who may first have to find a phone. */
const DEADLINE_MS = 60_000
const DEADLINE_AT_TERMINAL_MS = 5 * 60_000

/**
 * Runs a kubeconfig's login program once and reads its ExecCredential, by client-go's rules
 * (`plugin/pkg/client/auth/exec`): `KUBERNETES_EXEC_INFO` tells it version, terminal and, where it asked for that,
 * the cluster. What it writes to stderr at a terminal is shown as it comes, as it may be a question.
 * Throws ProbeError (`unauthorized`) that says which program failed and how; no credential is ever in it.
 */
export async function runExecPlugin(
  exec: ExecEntry,
  clusterInfo: Readonly<Record<string, unknown>>,
  options: Pick<ConnectionOptions, 'env' | 'cwd' | 'isTerminal'>,
  deps: Pick<ConnectionDeps, 'notice'>,
  signal: AbortSignal,
): Promise<LoginAnswer> {
  const isInteractive = checkEntry(exec, options.isTerminal)
  const info = {
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: {...(exec.provideClusterInfo ? {cluster: clusterInfo} : {}), interactive: isInteractive},
  }
  const deadline = AbortSignal.timeout(isInteractive ? DEADLINE_AT_TERMINAL_MS : DEADLINE_MS)
  const output = await runProgram(
    exec,
    {...options.env, ...exec.env, KUBERNETES_EXEC_INFO: JSON.stringify(info)},
    {
      cwd: options.cwd,
      isInteractive,
      deadline,
      signal,
      onLine: (line) => {
        if (isInteractive) deps.notice(maskSecrets(line))
      },
    },
  )
  return readLoginAnswer(output, exec)
}

function checkEntry(exec: ExecEntry, isTerminal: boolean): boolean {
  if (exec.command === '') throw loginFailed(exec, 'the kubeconfig names no command')
  if (!API_VERSIONS.has(exec.apiVersion)) {
    throw loginFailed(
      exec,
      `it speaks ${exec.apiVersion === '' ? 'no stated version' : exec.apiVersion}, which is not supported`,
      'Update the login program, and set apiVersion: client.authentication.k8s.io/v1 in the kubeconfig',
    )
  }
  const mode = exec.interactiveMode ?? (exec.apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : '')
  if (!['Never', 'IfAvailable', 'Always'].includes(mode)) {
    throw loginFailed(exec, 'its interactiveMode is not one of Never, IfAvailable and Always')
  }
  if (mode === 'Always' && !isTerminal) {
    throw loginFailed(exec, 'it needs a terminal, and there is none', 'Log in at a terminal first, or use --token')
  }
  return mode !== 'Never' && isTerminal
}

interface RunOptions {
  readonly cwd: string
  readonly isInteractive: boolean
  readonly deadline: AbortSignal
  readonly signal: AbortSignal
  readonly onLine: (line: string) => void
}

async function runProgram(exec: ExecEntry, env: NodeJS.ProcessEnv, run: RunOptions): Promise<string> {
  const stop = AbortSignal.any([run.deadline, run.signal])
  stop.throwIfAborted()
  const {promise, resolve, reject} = Promise.withResolvers<string>()
  const child = spawn(exec.command, [...exec.args], {
    cwd: run.cwd,
    env,
    stdio: [run.isInteractive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const kill = (): void => {
    child.kill('SIGKILL')
    // A grandchild may hold the pipes open after its parent is gone; nothing waits for it.
    child.stdout.destroy()
    child.stderr.destroy()
    reject(
      run.signal.aborted
        ? run.signal.reason
        : loginFailed(
            exec,
            `it gave no answer within ${run.isInteractive ? DEADLINE_AT_TERMINAL_MS / 1000 : DEADLINE_MS / 1000} s`,
          ),
    )
  }
  stop.addEventListener('abort', kill, {once: true})

  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk)
    else if (child.kill('SIGKILL')) reject(loginFailed(exec, 'it wrote more than 1 MiB'))
  })
  let complaint = ''
  createInterface({input: child.stderr, crlfDelay: Infinity}).on('line', (line) => {
    complaint = `${complaint}${line}\n`.slice(-KEPT_STDERR_BYTES)
    run.onLine(line)
  })
  child.once('error', (error) => reject(explainStart(exec, error)))
  child.once('close', (code, killedBy) => {
    if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
    else reject(explainExit(exec, code, killedBy, complaint))
  })
  try {
    return await promise
  } finally {
    stop.removeEventListener('abort', kill)
  }
}

function explainStart(exec: ExecEntry, error: Error): ProbeError {
  const code = errorCode(error)
  if (code === 'ENOENT') return loginFailed(exec, 'the program was not found', exec.installHint)
  if (code === 'EACCES')
    return loginFailed(exec, 'the program may not be executed', `Make it executable: chmod +x ${exec.command}`)
  return loginFailed(exec, `the program could not be started (${code || error.message})`, exec.installHint)
}

function explainExit(exec: ExecEntry, code: number | null, killedBy: string | null, complaint: string): ProbeError {
  const said = maskSecrets(complaint)
    .trim()
    .split(/\s*\n\s*/)
    .slice(-5)
    .join(' / ')
    .slice(0, 500)
  const end = code === null ? `it was ended by ${String(killedBy)}` : `it ended with exit code ${code}`
  return loginFailed(exec, said === '' ? end : `${end}: ${said}`, code === 127 ? exec.installHint : undefined)
}
