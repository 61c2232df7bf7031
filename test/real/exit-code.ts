import {constants} from 'node:os'

/** The exit code that a shell gives a program: its own, or 128 and the number of the signal that ended it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code
  return signal === null ? 1 : 128 + constants.signals[signal]
}

function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
}

/** A line for people where a signal has ended a program; empty where none has. */
export function signalLine(program: string, code: number): string {
  const signal = signalOf(code)
  return signal === undefined ? '' : `${program} was ended by ${signal}\n`
}
