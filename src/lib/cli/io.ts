import os from 'node:os'
import type {Readable, Writable} from 'node:stream'
import {isCompiled} from './runtime.ts'

/** The process, as a value: what a command may read and write. Tests give their own. */
export interface Io {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Pick<Writable, 'write'>
  readonly isStdoutTerminal: boolean
  readonly isStderrTerminal: boolean
  readonly isStdinTerminal: boolean
  /** Characters a line of the terminal on stdout; absent for a pipe. */
  readonly columns: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly homeDir: string
  /** Where files may stand for a moment. */
  readonly tempDir: string
  readonly platform: NodeJS.Platform
  /** Ms since 1970. */
  readonly nowMs: () => number
  /** How this program is started again: the executable, or Node and the script. */
  readonly self: readonly [string, ...string[]]
  readonly setExitCode: (code: number) => void
}

/** The real process. */
export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isStdoutTerminal: process.stdout.isTTY,
    isStderrTerminal: process.stderr.isTTY,
    isStdinTerminal: process.stdin.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    env: process.env,
    cwd: process.cwd(),
    homeDir: os.homedir(),
    tempDir: os.tmpdir(),
    platform: process.platform,
    nowMs: () => Date.now(),
    self: isCompiled(process.argv[1]) ? [process.execPath] : [process.execPath, process.argv[1] ?? ''],
    setExitCode: (code) => {
      process.exitCode = code
    },
  }
}
