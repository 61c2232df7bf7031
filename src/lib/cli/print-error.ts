import {ProbeError, RunError} from '../domain/failure.ts'
import {RunInterrupted, RunTimeout} from '../flow/run-end.ts'
import {EXIT_CODES} from './exit-codes.ts'
import type {Io} from './io.ts'
import {printable} from './printable.ts'

interface OclifError {
  readonly oclif: {readonly exit?: number}
}

/** Says on stderr why there is no answer, and gives the exit code of the table. */
export function printError(error: unknown, io: Io): number {
  const {message, hints, code} = explain(error, io)
  if (message !== '') io.stderr.write(`Error: ${printable(message)}\n`)
  for (const hint of hints) io.stderr.write(`Hint: ${printable(hint)}\n`)
  return code
}

interface Explained {
  readonly message: string
  readonly hints: readonly string[]
  readonly code: number
}

function explain(error: unknown, io: Io): Explained {
  if (error instanceof RunError) return {message: error.message, hints: error.hints, code: error.exit}
  if (error instanceof ProbeError) {
    const {message, hint} = error.failure
    return {message, hints: hint === undefined ? [] : [hint], code: EXIT_CODES.nothing.code}
  }
  if (error instanceof RunInterrupted) return {message: error.message, hints: [], code: EXIT_CODES.interrupted.code}
  if (error instanceof RunTimeout) {
    return {message: error.message, hints: ['Give the run longer with --timeout'], code: EXIT_CODES.nothing.code}
  }
  if (isOclifError(error)) {
    const exit = error.oclif.exit ?? EXIT_CODES.usage.code
    if (exit === EXIT_CODES.ok.code) return {message: '', hints: [], code: exit}
    return {message: firstParagraph(error), hints: ['See more with --help'], code: EXIT_CODES.usage.code}
  }
  return {
    message: `agentctl broke, which is a bug: ${error instanceof Error ? error.message : String(error)}`,
    hints: [bugHint(error, io)],
    code: EXIT_CODES.bug.code,
  }
}

function bugHint(error: unknown, io: Io): string {
  if (io.env['DEBUG'] === undefined) return 'Run it again with DEBUG=* for the stack, and report it with that'
  return error instanceof Error ? (error.stack ?? error.message) : 'The stack is not known'
}

function isOclifError(error: unknown): error is Error & OclifError {
  return error instanceof Error && 'oclif' in error && typeof error.oclif === 'object' && error.oclif !== null
}

function firstParagraph(error: Error): string {
  const [text] = error.message.split('\nSee more help')
  return (text ?? error.message).trim()
}
