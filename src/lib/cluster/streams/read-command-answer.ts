import {ProbeError} from '../../domain/failure.ts'
import type {CommandRun} from './command-run.ts'
import {type CommandOutput, readOutput} from './command-output.ts'
import type {CommandPlace} from './explain-command.ts'
import type {CommandDialect} from './http-commands.ts'
import {readHttpHead} from './http-head.ts'
import type {RawAnswer} from './raw-answer.ts'
import {skipAgentLog} from './skip-agent-log.ts'

const LONGEST_HEAD = 64 * 1024
const SNIFFED = 512

/** What `pilot-agent request` prints, with exit 0, for a 404; it gives no status (Envoy's and Go's own words). */
const NOT_FOUND = /^(?:invalid path\.|\S+ not found in config dump|404 page not found)/u
/** How it tells every other status from 400 on, on standard error (istio/istio `pilot/pkg/request/command.go`); busybox' wget. */
const UNSUCCESSFUL = /(?:received unsuccessful status code|server returned error: HTTP\/\S+) (\d{3}):? ?([\s\S]*)/u

/** Reads the answer to a GET off a command's output. Throws ProbeError where the command failed. */
export async function readCommandAnswer(
  dialect: CommandDialect,
  run: CommandRun,
  place: CommandPlace,
  nowMs: () => number,
): Promise<RawAnswer> {
  const output = readOutput(run, place)
  const discard = (): void => run.close()
  try {
    if (dialect === 'curl') return {...(await readHeadAndBody(output, place, nowMs)), discard}
    return {...(await readBodyAlone(dialect, output, run, nowMs)), discard}
  } catch (error) {
    run.close()
    throw error
  }
}

async function readBodyAlone(
  dialect: 'pilot-agent' | 'wget',
  output: CommandOutput,
  run: CommandRun,
  nowMs: () => number,
): Promise<Omit<RawAnswer, 'discard'>> {
  const logged = dialect === 'pilot-agent' ? await skipAgentLog(output) : {bytes: 0, hasError: false}
  const head = (await output.peek((bytes) => bytes.length > logged.bytes)).subarray(logged.bytes)
  const receivedMs = nowMs()
  if (head.length === 0 || logged.hasError || isRuntimeText(head)) {
    const refused = await refusedStatus(output, run)
    if (refused !== undefined) return {...refused, receivedMs}
  }
  const sniffed = await output.peek((bytes) => bytes.length >= logged.bytes + 'invalid path.'.length)
  const start = sniffed.subarray(logged.bytes, logged.bytes + SNIFFED).toString()
  const rest = output.rest(logged.bytes)
  const body = dialect === 'pilot-agent' ? withoutLastNewline(rest) : rest
  return {status: NOT_FOUND.test(start) ? 404 : 200, receivedMs, body}
}

/** The agent ends what it prints with a newline of its own. */
async function* withoutLastNewline(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array()
  for await (const chunk of body) {
    if (chunk.length === 0) continue
    if (held.length > 0) yield held
    held = chunk.subarray(-1)
    if (chunk.length > 1) yield chunk.subarray(0, -1)
  }
  if (held.length > 0 && held[0] !== 0x0a) yield held
}

/** Some runtimes tell on standard output that the program does not exist. */
function isRuntimeText(head: Buffer): boolean {
  return /^(?:OCI runtime|rpc error)/iu.test(head.subarray(0, SNIFFED).toString())
}

async function refusedStatus(
  output: CommandOutput,
  run: CommandRun,
): Promise<Pick<RawAnswer, 'status' | 'body'> | undefined> {
  const printed = await output.peek((bytes) => bytes.length > LONGEST_HEAD)
  if (printed.length > LONGEST_HEAD) return undefined
  try {
    await output.check()
    return undefined
  } catch (error) {
    const [, status, text = ''] = UNSUCCESSFUL.exec(run.stderr) ?? []
    if (status === undefined) throw error
    return {status: Number(status), body: once(Buffer.from(text))}
  }
}

/** Reads a file off the output of `cat`: 404 or 403 where there is no file to read, with `cat`'s own words. */
export async function readFileAnswer(run: CommandRun, place: CommandPlace, nowMs: () => number): Promise<RawAnswer> {
  const output = readOutput(run, place)
  const discard = (): void => run.close()
  try {
    const head = await output.peek((bytes) => bytes.length > 0)
    if (head.length === 0 || isRuntimeText(head)) await output.check()
    return {status: 200, receivedMs: nowMs(), body: output.rest(), discard}
  } catch (error) {
    run.close()
    const status = unreadable(error, run.stderr)
    if (status === undefined) throw error
    return {status, receivedMs: nowMs(), body: once(Buffer.from(run.stderr)), discard}
  }
}

function unreadable(error: unknown, stderr: string): number | undefined {
  if (!(error instanceof ProbeError) || error.failure.code !== 'command-failed') return undefined
  if (/no such file or directory/iu.test(stderr)) return 404
  return /permission denied/iu.test(stderr) ? 403 : undefined
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function readHeadAndBody(
  output: CommandOutput,
  place: CommandPlace,
  nowMs: () => number,
): Promise<Omit<RawAnswer, 'discard'>> {
  let start = 0
  for (;;) {
    const bytes = await output.peek((bytes) => headEnd(bytes, start) > 0 || bytes.length - start > LONGEST_HEAD)
    const end = headEnd(bytes, start)
    if (end <= 0) {
      // Without a head, the command's own failure is what there is to tell.
      if (bytes.length - start <= LONGEST_HEAD) await output.check()
      throw noHead(place)
    }
    const head = end - start > LONGEST_HEAD ? undefined : readHttpHead(bytes.subarray(start, end).toString('latin1'))
    if (head === undefined) throw noHead(place)
    start = end
    if (head.status < 200) continue
    const {contentLength, ...rest} = head
    return {...rest, receivedMs: nowMs(), body: countedBody(output.rest(start), contentLength, place)}
  }
}

/** Index after the blank line that ends the head, 0 where it has not come. */
function headEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf('\r\n\r\n', from)
  return at < 0 ? 0 : at + 4
}

async function* countedBody(
  body: AsyncIterable<Uint8Array>,
  length: number | undefined,
  place: CommandPlace,
): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.length
    yield chunk
  }
  if (length === undefined || received >= length) return
  const message = `Answer of ${place.command[0]} in ${place.pod.namespace}/${place.pod.name} cut off after ${received} of ${length} bytes`
  throw new ProbeError({stage: 'fetch', code: 'cut-off', message, hint: 'Try again'})
}

function noHead(place: CommandPlace): ProbeError {
  const message = `Cannot read the answer of ${place.command[0]} in ${place.pod.namespace}/${place.pod.name}: it is not HTTP`
  return new ProbeError({stage: 'fetch', code: 'bad-payload', message})
}
