import {ProbeError} from '../../domain/failure.ts'
import type {CommandEnd} from '../streams/command-status.ts'
import type {SpokenCommand} from '../streams/command-run.ts'
import type {SocketBridge} from './socket-bridge.ts'

/** What a program that has done its work may take to end, and one that fails to say why. */
const END_GRACE_MS = 500

/** How a program ended, or why that is not known. */
export type Ending = {readonly end: CommandEnd} | {readonly error: ProbeError}

/** Waits for a program's end, which is that of its bridge too. */
export async function endingOf(run: SpokenCommand, bridge: SocketBridge): Promise<Ending> {
  try {
    return {end: await run.ended()}
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    return {error}
  } finally {
    bridge.close()
  }
}

/** The program ends with its input, so that none stays in the container; `undefined` where that takes too long. */
export async function endGently(
  run: SpokenCommand,
  bridge: SocketBridge,
  ending: Promise<Ending>,
  isWanted: boolean,
): Promise<Ending | undefined> {
  bridge.close()
  run.stdin.end()
  // Without a word for the end of the input, only the end of the connection is one.
  if (!run.canEndInput && !isWanted) return undefined
  const {promise: late, resolve} = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), END_GRACE_MS)
  try {
    return await Promise.race([ending, late])
  } finally {
    clearTimeout(timer)
  }
}
