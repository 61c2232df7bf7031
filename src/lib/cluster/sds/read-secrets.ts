import type {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {SdsForm} from '../../domain/question.ts'
import type {CommandEnd} from '../streams/command-status.ts'
import type {SpokenCommand} from '../streams/command-run.ts'
import type {CommandPlace} from '../streams/explain-command.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import {askOver, firstError, isLost, type Reply} from './ask-secrets.ts'
import {endGently, type Ending, endingOf} from './end-program.ts'
import {explainCall, explainProgram, noGrpc, noProgram, noSocket, type NotConnected} from './explain-sds.ts'
import {type PublicResponse, publishResponse} from './public-secret.ts'
import {openSocketBridge, type SocketBridge} from './socket-bridge.ts'
import {SOCKET_PROGRAMS} from './socket-commands.ts'

/** What reading an agent's SDS socket takes. */
export interface SdsReading {
  readonly form: SdsForm
  readonly pod: PodRef
  readonly container: string
  /** Runs one of the closed list's commands in the container. Throws ProbeError. */
  readonly start: (words: readonly string[]) => Promise<SpokenCommand>
  /** Where the bridge may make its directory. */
  readonly tempDir: string
  /** What is left for the whole, ms. */
  readonly timeLeftMs: () => number
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

/**
 * Asks the agent for its secrets over its socket, and closes. The answer is JSON that holds certificates and no key
 * (`publishResponse`). Throws ProbeError where no secret came, or the signal's reason.
 */
export async function readSecrets(reading: SdsReading): Promise<RawAnswer> {
  const {form, pod, container} = reading
  for (const {words} of SOCKET_PROGRAMS) {
    let isThere = true
    for (const path of form.socketPaths) {
      const outcome = await tryCommand(reading, words(path), path)
      if (outcome.type === 'answer') return outcome.answer
      if (outcome.type === 'failed') throw outcome.error
      isThere = outcome.type !== 'no-program'
      if (!isThere) break
    }
    if (isThere) throw noSocket(pod, container, form.socketPaths)
  }
  throw noProgram(pod, container, [...new Set(SOCKET_PROGRAMS.map(({name}) => name))])
}

type Outcome = {readonly type: 'answer'; readonly answer: RawAnswer} | NotConnected

async function tryCommand(reading: SdsReading, words: readonly string[], path: string): Promise<Outcome> {
  const {pod, container, signal} = reading
  const place: CommandPlace = {pod, container, command: words}
  const run = await reading.start(words)
  try {
    await using bridge = await openSocketBridge(run, reading.tempDir)
    // Whoever waits for an answer learns of the program's end by that of the connection.
    const ending = endingOf(run, bridge)
    const replies = await askOver(bridge.path, reading.form.resourceNames, reading.timeLeftMs())
    signal.throwIfAborted()
    const isLostToAll = replies.every(isLost)
    const ended = await endGently(run, bridge, ending, isLostToAll)
    signal.throwIfAborted()
    if (replies.some(({response}) => response !== undefined)) {
      return {type: 'answer', answer: await answerOf(replies, reading, place, path)}
    }
    return isLostToAll ? explainLoss(place, ended, run, bridge, replies) : failed(firstError(replies, place))
  } finally {
    run.close()
  }
}

/** The connection went before an answer, or was no HTTP/2: the program tells why, if anybody does. */
function explainLoss(
  place: CommandPlace,
  ended: Ending | undefined,
  {stderr}: SpokenCommand,
  bridge: SocketBridge,
  replies: readonly Reply[],
): Outcome {
  const said = bridge.said()
  if (ended !== undefined && 'end' in ended && !isWell(ended.end)) return explainProgram(place, ended.end, stderr, said)
  if (said !== '') return failed(noGrpc(place, said))
  return failed(ended !== undefined && 'error' in ended ? ended.error : firstError(replies, place))
}

function failed(error: ProbeError): Outcome {
  return {type: 'failed', error}
}

/** One answer as JSON: the socket, and for each secret what was answered, or why there is nothing. */
async function answerOf(
  replies: readonly Reply[],
  {nowMs}: SdsReading,
  place: CommandPlace,
  socket: string,
): Promise<RawAnswer> {
  const receivedMs = nowMs()
  const responses: ({readonly resource_name: string} & (PublicResponse | {readonly error: unknown}))[] = []
  for (const {resourceName, response, error} of replies) {
    if (response !== undefined) responses.push({resource_name: resourceName, ...(await publishResponse(response))})
    else if (error !== undefined) {
      const {code, message, hint} = explainCall(error, place, resourceName).failure
      responses.push({resource_name: resourceName, error: {code, message, ...(hint !== undefined && {hint})}})
    }
  }
  return {
    status: 200,
    contentType: 'application/json',
    receivedMs,
    body: once(Buffer.from(JSON.stringify({socket, responses}))),
    discard: () => undefined,
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function isWell(end: CommandEnd): boolean {
  return end.type === 'exited' && end.code === 0
}
