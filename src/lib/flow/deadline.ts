import {ProbeError} from '../domain/failure.ts'

/** A deadline of its own under the run's signal. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Ms since 1970. */
  readonly atMs: number
}

/** Why a deadline's signal is aborted, as opposed to the run's own end; named as the platform names its own. */
class DeadlinePassed extends Error {
  override readonly name = 'TimeoutError'
}

/** Time for work that was cancelled to say itself where it stood, ms; it knows more than the clock. */
const LAST_WORD_MS = 50

/** Starts a deadline; `nowMs` is the moment it starts from. Dispose it, so that its timer does not outlive it. */
export function startDeadline(run: AbortSignal, ms: number, nowMs: number): Deadline {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(new DeadlinePassed(`Deadline of ${ms} ms passed`)), ms)
  const onRunEnd = (): void => own.abort(run.reason)
  if (run.aborted) onRunEnd()
  else run.addEventListener('abort', onRunEnd, {once: true})
  return {
    signal: own.signal,
    atMs: nowMs + ms,
    [Symbol.dispose]() {
      clearTimeout(timer)
      run.removeEventListener('abort', onRunEnd)
    },
  }
}

/** Settles with `work`, or rejects with the signal's reason soon after that is aborted, even if `work` hangs. */
export async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    timer = setTimeout(() => cancelled.reject(reasonOf(signal)), LAST_WORD_MS)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, {once: true})
  try {
    return await Promise.race([work, cancelled.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
    // Whichever lost the race must not end as an unhandled rejection.
    work.catch(() => undefined)
    cancelled.promise.catch(() => undefined)
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Aborted', {cause: signal.reason})
}

/** Waits, or rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const onAbort = (): void => reject(reasonOf(signal))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, {once: true})
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** The failure that a passed deadline is, where `error` is one; what it was doing stands in `attempt`. */
export function asTimeout(error: unknown, attempt: string, stage: 'dial' | 'fetch'): ProbeError | undefined {
  if (!(error instanceof DeadlinePassed)) return undefined
  return new ProbeError({
    stage,
    code: 'timeout',
    message: `${attempt}: no answer in time`,
    hint: 'Give it longer with --deadline 30s',
  })
}
