import {RunInterrupted, RunTimeout} from '../flow/run-end.ts'
import {EXIT_CODES} from './exit-codes.ts'

/** The one signal of a run. */
export interface RunSignal extends Disposable {
  readonly signal: AbortSignal
}

/** Ctrl-C or SIGTERM end the run in good order, a second one at once; so does `timeoutMs` (0 is none). */
export function startRunSignal(timeoutMs: number): RunSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    // oxlint-disable-next-line unicorn/no-process-exit -- asked twice: whatever hangs must not keep the process
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted.code)
    controller.abort(new RunInterrupted('Interrupted'))
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const timer =
    timeoutMs > 0
      ? setTimeout(() => controller.abort(new RunTimeout(`The run took longer than ${timeoutMs / 1000} s`)), timeoutMs)
      : undefined
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      clearTimeout(timer)
    },
  }
}
