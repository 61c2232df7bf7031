import type {Readable} from 'node:stream'
import type {PodAnswer} from '../agents/pod-port.ts'
import type {SimulatedContainer} from '../simulated-pod.ts'
import type {PodQuestion} from './serve-pod-port.ts'
import {netcat, socat} from './socket-command.ts'

/** How a command in a container ends. `failure` is the runtime's text where it could not start. */
export interface CommandResult {
  readonly stdout: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly stderr: string
  readonly exitCode: number
  readonly failure?: string
}

/** Asks a port from inside the pod; `undefined` where nothing listens. */
export type AskPort = (port: number, question: PodQuestion) => Promise<PodAnswer | undefined>

/** Ports that `pilot-agent request --debug-port` allows. */
const debugPorts = new Set([15000, 15004, 15020, 15021])

/** The port that `pilot-discovery request` asks; there is no flag for another. */
const DISCOVERY_PORT = 15_014

/** Runs one of the few commands that the simulated images hold: Istio's two `request`, `cat`, `curl`, `nc`, `socat`. */
export async function runCommand(
  container: SimulatedContainer,
  command: readonly string[],
  ask: AskPort,
  nowMs: () => number,
  stdin: Readable,
): Promise<CommandResult> {
  const program = (command[0] ?? '').split('/').at(-1) ?? ''
  const isThere = container.programs.some((name) => name.split(' ').at(-1) === program)
  if (!isThere) return missing(command[0] ?? '')
  if (program === 'cat') return await cat(container, command.slice(1))
  if (program === 'curl') return await curl(command.slice(1), ask)
  if (program === 'nc') return await netcat(container, command.slice(1), stdin)
  if (program === 'socat') return await socat(container, command.slice(1), stdin)
  const words = command.slice(1)
  return program === 'pilot-discovery'
    ? await request(words, DISCOVERY_PORT, ask, nowMs)
    : await pilotAgent(words, ask, nowMs)
}

/** runc's text; the path form differs from the one for a bare name. */
function missing(program: string): CommandResult {
  const why = program.includes('/') ? 'no such file or directory' : 'executable file not found in $PATH'
  const stat = program.includes('/') ? `stat ${program}: ${why}` : why
  return {
    stdout: [],
    stderr: '',
    exitCode: 127,
    failure: `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: ${JSON.stringify(program)}: ${stat}: unknown`,
  }
}

async function cat(container: SimulatedContainer, paths: readonly string[]): Promise<CommandResult> {
  const stdout: Uint8Array[] = []
  let stderr = ''
  for (const path of paths.filter((argument) => argument !== '--')) {
    const file = container.files.get(path)
    if (file === undefined) stderr += `cat: ${path}: No such file or directory\n`
    else stdout.push(Buffer.from(await file()))
  }
  return {stdout, stderr, exitCode: stderr === '' ? 0 : 1}
}

async function pilotAgent(args: readonly string[], ask: AskPort, nowMs: () => number): Promise<CommandResult> {
  const words = args.filter((argument, index) => argument !== '--debug-port' && args[index - 1] !== '--debug-port')
  const at = args.indexOf('--debug-port')
  const port = at < 0 ? 15000 : Number(args[at + 1])
  if (!debugPorts.has(port)) {
    return agentFailure(`debug port ${String(port)} is not in allowed list [${[...debugPorts].join(' ')}]`, nowMs())
  }
  return await request(words, port, ask, nowMs)
}

/** A status from 400 on is an error, but for 404, whose body is printed (istio `pilot/pkg/request/command.go`). */
async function request(
  [verb, method, path]: readonly string[],
  port: number,
  ask: AskPort,
  nowMs: () => number,
): Promise<CommandResult> {
  const failed = (why: string): CommandResult => agentFailure(why, nowMs())
  if (verb !== 'request' || method === undefined || path === undefined) return failed('requires at least 2 arg(s)')
  const url = `http://localhost:${String(port)}/${path.replace(/^\//, '')}`
  const answer = await ask(port, {method, path: `/${path.replace(/^\//, '')}`, headers: {}, fromLoopback: true})
  if (answer === undefined) {
    const why = `dial tcp 127.0.0.1:${String(port)}: connect: connection refused`
    return failed(`${method.charAt(0)}${method.slice(1).toLowerCase()} "${url}": ${why}`)
  }
  if (answer.status >= 400 && answer.status !== 404) {
    const body = Buffer.concat(await Array.fromAsync(chunksOf(answer.body))).toString()
    return failed(`received unsuccessful status code ${String(answer.status)}: ${body}`)
  }
  return {stdout: withNewline(answer.body), stderr: '', exitCode: 0}
}

/** The agent logs why it failed to standard output, and cobra tells it on standard error (seen on 1.31). */
function agentFailure(why: string, nowMs: number): CommandResult {
  const time = new Date(nowMs).toISOString().replace(/Z$/, '000Z')
  return {stdout: [Buffer.from(`${time}\terror\t${why}\n`)], stderr: `Error: ${why}\n`, exitCode: 255}
}

async function curl(args: readonly string[], ask: AskPort): Promise<CommandResult> {
  const target = args.find((argument) => !argument.startsWith('-')) ?? ''
  const [, port, path] = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):(\d+)(\/.*)?$/.exec(target) ?? []
  if (port === undefined) return {stdout: [], stderr: `curl: (6) Could not resolve host: ${target}\n`, exitCode: 6}
  const answer = await ask(Number(port), {method: 'GET', path: path ?? '/', headers: {}, fromLoopback: true})
  if (answer === undefined) {
    const why = `Failed to connect to localhost port ${port} after 0 ms: Couldn't connect to server`
    return {stdout: [], stderr: `curl: (7) ${why}\n`, exitCode: 7}
  }
  return {stdout: answer.body instanceof Uint8Array ? [answer.body] : answer.body, stderr: '', exitCode: 0}
}

async function* withNewline(body: PodAnswer['body']): AsyncGenerator<Uint8Array> {
  yield* chunksOf(body)
  yield Buffer.from('\n')
}

async function* chunksOf(body: PodAnswer['body']): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else yield* body
}
