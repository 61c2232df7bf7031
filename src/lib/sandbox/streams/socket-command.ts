import {duplexPair} from 'node:stream'
import type {Duplex, Readable} from 'node:stream'
import type {SimulatedContainer} from '../simulated-pod.ts'
import type {CommandResult} from './exec-command.ts'

/** `nc [-N] -U PATH` of OpenBSD: with `-N` the socket's writing side ends with the input. */
export async function netcat(
  container: SimulatedContainer,
  args: readonly string[],
  stdin: Readable,
): Promise<CommandResult> {
  if (container.programs.includes('busybox nc')) {
    const stderr = `nc: invalid option -- '${args[0]?.slice(1) ?? ''}'\nBusyBox v1.36.1 () multi-call binary.\n\nUsage: nc [OPTIONS] HOST PORT\n`
    return {stdout: [], stderr, exitCode: 1}
  }
  const path = args.at(-1) ?? ''
  const connection = await connect(container, path)
  if (connection === undefined) {
    return {stdout: [], stderr: 'nc: unix connect failed: No such file or directory\n', exitCode: 1}
  }
  stdin.pipe(connection, {end: args.includes('-N')})
  return {stdout: connection, stderr: '', exitCode: 0}
}

/** `socat - UNIX-CONNECT:PATH`. */
export async function socat(
  container: SimulatedContainer,
  args: readonly string[],
  stdin: Readable,
): Promise<CommandResult> {
  const path = /^UNIX-CONNECT:(.+)$/.exec(args[1] ?? '')?.[1] ?? ''
  const connection = await connect(container, path)
  if (connection === undefined) {
    const stderr = `2026/06/01 12:00:00 socat[17] E connect(5, AF=1 ${JSON.stringify(path)}, ${String(path.length + 3)}): No such file or directory\n`
    return {stdout: [], stderr, exitCode: 1}
  }
  stdin.pipe(connection)
  return {stdout: connection, stderr: '', exitCode: 0}
}

async function connect(container: SimulatedContainer, path: string): Promise<Duplex | undefined> {
  const take = container.sockets?.get(path)
  if (take === undefined) return undefined
  const [ours, theirs] = duplexPair()
  ours.on('error', () => undefined)
  await take(theirs)
  return ours
}
