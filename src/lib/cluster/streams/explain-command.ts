import {type FailureCode, ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {CommandEnd} from './command-status.ts'
import {oneLine} from '../foreign-text.ts'
import {podName} from '../pod-path.ts'
import {readStreamText} from './stream-texts.ts'

/** Where a command ran, for messages. */
export interface CommandPlace {
  readonly pod: PodRef
  readonly container: string
  readonly command: readonly string[]
}

/** What a command that did not succeed left behind. */
export interface CommandOutcome {
  readonly end: CommandEnd
  readonly stderr: string
  /** Beginning of its standard output: some runtimes write their own errors there. */
  readonly stdout: string
}

/**
 * The ways that container runtimes (runc, crun, containerd, CRI-O, dockershim) say that a program is not in the image.
 * A program's own `No such file or directory` is none of them: it speaks of a file. Nor is one that follows anything but
 * the program's name: a runtime that finds no cgroup for it says `exec failed: … cgroup.procs: no such file or directory`.
 */
const MISSING =
  /executable file .*not found|exec format error|open executable: no such file|\bexec(?:ve)?[: ]+[^:]*: ?(?:stat [^:]+: )?(?:no such file|not found|permission denied)/iu

const RUNTIME = /OCI runtime exec failed|rpc error: code = /iu

/** Works out why a command failed; the caller has made sure that it did. */
export function explainCommand(place: CommandPlace, outcome: CommandOutcome): ProbeError {
  const {end, stderr, stdout} = outcome
  const [program = ''] = place.command
  const where = `${podName(place.pod)} (${place.container})`
  const text = oneLine(end.type === 'failed' ? end.message : stderr === '' ? runtimeText(stdout) : lastError(stderr))
  if (isMissing(outcome)) {
    return fail(
      'command-missing',
      `Cannot run ${program} in ${where}: the image does not have it`,
      hintForMissing(program),
    )
  }
  const known = end.type === 'failed' ? readStreamText(text) : undefined
  if (known !== undefined) return fail(known.code, `Cannot run ${program} in ${where}: ${known.says}`, known.hint)
  const exit = end.type === 'exited' ? `exit code ${end.code}` : 'not started'
  const said = text === '' ? '' : `: ${text}`
  const code = end.type === 'exited' ? exitedCode(text, program, end.code) : 'command-failed'
  const hint = code === 'port-closed' ? hintForRefused : undefined
  return fail(code, `${program} in ${where} failed, ${exit}${said}`, hint)
}

/** What Go, curl and wget say, and what GNU wget only says by its exit code. */
function exitedCode(text: string, program: string, exitCode: number): FailureCode {
  if (/connection refused/iu.test(text)) return 'port-closed'
  if (/timed? ?out|deadline exceeded/iu.test(text)) return 'timeout'
  if (/empty reply|connection reset|\bEOF$/iu.test(text)) return 'connection-lost'
  return program === 'wget' && exitCode === 8 ? 'http-status' : 'command-failed'
}

/** What to do where an image lacks a program. What only a program in the pod can read, a file, no forward reaches. */
export function hintForMissing(program: string): string {
  const instead = program === 'cat' ? 'leave agent-files out, so that other sources speak' : 'use --via port-forward'
  return `Distroless images have no tools to run: ${instead}`
}

const hintForRefused =
  'The proxy may be starting, its admin interface may be off or on another port (--proxy-admin-port)'

function isMissing({end, stderr, stdout}: CommandOutcome): boolean {
  if (end.type === 'failed') return MISSING.test(end.message)
  if (end.code === 127) return true
  if (end.code === 126) return MISSING.test(`${stderr}\n${stdout}`) || stderr.trim() === ''
  return RUNTIME.test(stdout) && MISSING.test(stdout)
}

/** From the last `Error: ` on, as Go programs end; their log stands before it, and would be shown in its place. */
function lastError(stderr: string): string {
  return stderr.slice(Math.max(0, stderr.search(/^Error: (?![\s\S]*^Error: )/mu)))
}

function runtimeText(stdout: string): string {
  return RUNTIME.test(stdout) ? stdout : ''
}

const FETCHED: ReadonlySet<FailureCode> = new Set(['command-failed', 'http-status', 'timeout', 'connection-lost'])

function fail(code: FailureCode, message: string, hint?: string): ProbeError {
  return new ProbeError({stage: FETCHED.has(code) ? 'fetch' : 'dial', code, message, ...(hint !== undefined && {hint})})
}
