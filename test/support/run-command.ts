import {tmpdir} from 'node:os'
import {PassThrough, Readable, Writable} from 'node:stream'
import type {Io} from '../../src/lib/cli/io.ts'
import {main} from '../../src/main.ts'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly nowMs?: () => number
  /** Makes stdout a terminal of that width. */
  readonly columns?: number
  readonly cwd?: string
  readonly tempDir?: string
  readonly platform?: NodeJS.Platform
}

/** Runs one command line in this process and gives whole stdout, stderr and the exit code. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const stdout = new Collector()
  const stderr = new Collector()
  let exitCode = 0
  const {columns} = surroundings
  const io: Io = {
    stdin:
      surroundings.stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(surroundings.stdin)]),
    stdout,
    stderr,
    isStdoutTerminal: columns !== undefined,
    isStderrTerminal: false,
    isStdinTerminal: false,
    columns,
    env: surroundings.env ?? {},
    cwd: surroundings.cwd ?? process.cwd(),
    homeDir: '/nonexistent',
    tempDir: surroundings.tempDir ?? tmpdir(),
    platform: surroundings.platform ?? 'linux',
    nowMs: surroundings.nowMs ?? ((): number => Date.now()),
    self: [process.execPath, 'bin/run.js'],
    setExitCode: (code) => {
      exitCode = code
    },
  }
  await main(argv, io)
  return {stdout: stdout.text(), stderr: stderr.text(), exitCode}
}

class Collector extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
