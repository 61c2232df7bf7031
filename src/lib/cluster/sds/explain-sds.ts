import {type FailureCode, ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import {oneLine} from '../foreign-text.ts'
import {podName} from '../pod-path.ts'
import type {CommandEnd} from '../streams/command-status.ts'
import {type CommandPlace, explainCommand} from '../streams/explain-command.ts'
import type {GrpcError} from './secrets-client.ts'

/** What else speaks for an agent, where its socket does not. */
const OTHERS =
  'Without --sds, its metrics still tell when its certificate ends, and its files, where it writes some (OUTPUT_CERTS), are read with --source agent-files'

/** Why a program did not connect: the image lacks it, or nobody listens at that path, or something else. */
export type NotConnected =
  | {readonly type: 'no-program'}
  | {readonly type: 'no-socket'}
  | {readonly type: 'failed'; readonly error: ProbeError}

/** Reads a program's end. `said` is what it printed in place of an answer. */
export function explainProgram(place: CommandPlace, end: CommandEnd, stderr: string, said: string): NotConnected {
  const error = explainCommand(place, {end, stderr, stdout: said})
  if (error.failure.code === 'command-missing') return {type: 'no-program'}
  // busybox, traditional netcat and ncat each know only some letters.
  if (/(?:invalid|unknown|unrecogni[sz]ed|illegal) option|^usage:/imu.test(stderr)) return {type: 'no-program'}
  if (end.type === 'exited' && /no such file or directory/iu.test(stderr)) return {type: 'no-socket'}
  if (error.failure.code !== 'port-closed') return {type: 'failed', error}
  const message = `Cannot connect to the SDS socket ${socketOf(place)} of ${whereOf(place)}: connection refused`
  const hint = `The agent may be starting, or its last run left the socket behind: try again. ${OTHERS}`
  return {type: 'failed', error: new ProbeError({stage: 'dial', code: 'port-closed', message, hint})}
}

export function noProgram(pod: PodRef, container: string, programs: readonly string[]): ProbeError {
  return new ProbeError({
    stage: 'dial',
    code: 'command-missing',
    message: `Cannot reach the SDS socket of ${podName(pod)} (${container}): its image has none of ${programs.join(', ')} that connects to a Unix socket`,
    hint: `Distroless images have no tools to run. ${OTHERS}`,
  })
}

export function noSocket(pod: PodRef, container: string, paths: readonly string[]): ProbeError {
  return new ProbeError({
    stage: 'dial',
    code: 'no-source',
    message: `Cannot find an SDS socket in ${podName(pod)} (${container}): there is none at ${paths.join(', ')}`,
    hint: `An agent that has not started, and one without an Envoy (DISABLE_ENVOY), has none. ${OTHERS}`,
  })
}

/** Something else than an SDS server has answered. */
export function noGrpc(place: CommandPlace, said: string): ProbeError {
  return new ProbeError({
    stage: 'fetch',
    code: 'bad-payload',
    message: `Cannot read the SDS socket ${socketOf(place)} of ${whereOf(place)}: it answers with text, not with gRPC: ${oneLine(said)}`,
    hint: 'Look at what owns this socket: it may be no SDS server',
  })
}

/** A call that ended other than well. */
export function explainCall({status, message}: GrpcError, place: CommandPlace, resourceName: string): ProbeError {
  const {code, hint} = CALLS[status] ?? {code: 'grpc-status'}
  const details = message === '' ? '' : `: ${oneLine(message)}`
  return new ProbeError({
    stage: 'fetch',
    code,
    message: `Cannot read ${resourceName} from the SDS socket ${socketOf(place)} of ${whereOf(place)}: ${status}${details}`,
    ...(hint !== undefined && {hint}),
  })
}

const CALLS: Readonly<Record<string, {readonly code: FailureCode; readonly hint?: string}>> = {
  DEADLINE_EXCEEDED: {
    code: 'timeout',
    hint: 'The agent may wait for its CA: look at its log, or give it longer with --deadline 30s',
  },
  UNAVAILABLE: {code: 'connection-lost', hint: 'The pod may have restarted: try again'},
  UNIMPLEMENTED: {code: 'path-unknown', hint: 'Another server than an agent of Istio may own this socket'},
  UNAUTHENTICATED: {
    code: 'unauthorized',
    hint: "A node agent answers only who shows the workload's token; its debug endpoint speaks without: leave --sds out",
  },
  PERMISSION_DENIED: {
    code: 'unauthorized',
    hint: 'An external SDS server such as SPIRE answers only workloads that it knows',
  },
  RESOURCE_EXHAUSTED: {code: 'too-large'},
  INTERNAL: {code: 'bad-payload', hint: 'Look at what owns this socket: it may be no SDS server'},
}

function socketOf({command}: CommandPlace): string {
  return (command.at(-1) ?? '').replace(/^UNIX-CONNECT:/u, '')
}

function whereOf({pod, container}: CommandPlace): string {
  return `${podName(pod)} (${container})`
}
