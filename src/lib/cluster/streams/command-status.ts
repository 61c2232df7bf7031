import {fieldsOf, listOf, textOf} from '../narrow.ts'

/** How a command ended: its exit code, or why it was never started. */
export type CommandEnd =
  | {readonly type: 'exited'; readonly code: number}
  | {readonly type: 'failed'; readonly message: string}

/**
 * Reads the Status of an exec's channel 3: `Success`, `NonZeroExitCode` with the code as a cause `ExitCode`, or another
 * failure, told by the container runtime. Messages differ between protocol versions and are not what decides.
 */
export function readCommandStatus(text: string): CommandEnd {
  const status = fieldsOf(parse(text))
  if (status['status'] === 'Success') return {type: 'exited', code: 0}
  const causes = listOf(fieldsOf(status['details'])['causes']).map(fieldsOf)
  const exitCode = Number(textOf(causes.find(({reason}) => reason === 'ExitCode')?.['message']) ?? Number.NaN)
  if (status['reason'] === 'NonZeroExitCode' && Number.isInteger(exitCode)) return {type: 'exited', code: exitCode}
  return {type: 'failed', message: textOf(status['message']) ?? text}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
