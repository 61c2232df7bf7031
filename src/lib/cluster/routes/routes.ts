import {ProbeError} from '../../domain/failure.ts'
import type {Form, Route} from '../../domain/question.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'

/** One path of a form, to be asked by one route. */
export interface RouteRequest {
  readonly form: Form
  /** One of the form's paths. */
  readonly path: string
  readonly container: string
  readonly signal: AbortSignal
  /** How long dialling may take, in ms; `undefined` where only the signal ends it. Computed when dialling begins. */
  readonly dialBudgetMs: () => number | undefined
  /** What is left for the whole, in ms; for programs that end themselves. */
  readonly timeLeftMs: () => number
}

/** One way to one pod. Requests may be made side by side. */
export interface PodRoute {
  readonly route: Route
  /** Why this route cannot carry the form, in words that follow a colon; `undefined` where it can. */
  obstacle(form: Form): string | undefined
  /** Throws ProbeError, or what the signal was aborted with. */
  get(request: RouteRequest): Promise<RawAnswer>
  close(): void
}

/** A signal that fires at the end of the dial budget, too; `dialled` takes that end away. */
export interface DialLimit {
  readonly signal: AbortSignal
  dialled(): void
}

/** Bounds dialling: past its budget the signal is aborted with a ProbeError `timeout` of stage `dial`. */
export function limitDial(request: RouteRequest, what: string): DialLimit {
  const budgetMs = request.dialBudgetMs()
  if (budgetMs === undefined) return {signal: request.signal, dialled: () => undefined}
  const hanging = new AbortController()
  const timer = setTimeout(() => {
    const message = `Cannot ${what}: no connection after ${(budgetMs / 1000).toFixed(1)} s`
    hanging.abort(new ProbeError({stage: 'dial', code: 'timeout', message}))
  }, budgetMs)
  const dialled = (): void => clearTimeout(timer)
  request.signal.addEventListener('abort', dialled, {once: true})
  return {signal: AbortSignal.any([request.signal, hanging.signal]), dialled}
}

/**
 * Waits for a promise no longer than the signal lets it. Throws the signal's reason; what the promise then still
 * brings is handed to `letGo`.
 */
export async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  letGo: (value: Value) => void = () => undefined,
): Promise<Value> {
  const {promise: aborted, reject} = Promise.withResolvers<never>()
  const stop = (): void => {
    promise.then(letGo, () => undefined)
    reject(signal.reason)
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, {once: true})
  try {
    return await Promise.race([aborted, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
