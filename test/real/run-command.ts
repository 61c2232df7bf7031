import {spawn, type SpawnOptions} from 'node:child_process'

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What else a program may be given. */
export interface CommandOptions extends Pick<SpawnOptions, 'cwd' | 'env'> {
  readonly input?: string
}

/** Runs a program to its end, whatever its exit code. Throws where it cannot be started. */
export async function tryCommand(
  [program, ...args]: readonly [string, ...string[]],
  {input = '', ...options}: CommandOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, {...options, stdio: 'pipe'})
  // A program that ends before it has read everything says so with its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`Cannot run ${program}`, {cause: error})))
    child.once('close', resolve)
  })
  const [code, stdout, stderr] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)])
  return {code, stdout, stderr}
}

/** Runs a program and gives what it wrote to its standard output. Throws where it ends with another code than 0. */
export async function runCommand(
  command: readonly [string, ...string[]],
  options: CommandOptions = {},
): Promise<string> {
  const {code, stdout, stderr} = await tryCommand(command, options)
  if (code === 0) return stdout
  throw new Error(`${command.join(' ')} ended with ${String(code)}: ${`${stdout}\n${stderr}`.trim().slice(-4000)}`)
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
