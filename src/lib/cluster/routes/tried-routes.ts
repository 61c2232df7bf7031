import {type Failure, ProbeError} from '../../domain/failure.ts'
import type {Question, Route} from '../../domain/question.ts'

/** Failures of the way itself, which another way may not meet. Anything else is the pod's own answer. */
const OF_THE_WAY: ReadonlySet<Failure['code']> = new Set<Failure['code']>([
  'forbidden',
  'upgrade-failed',
  'proxy-in-between',
  'node-cannot-forward',
  'node-unreachable',
  'kubelet-forbidden',
  'command-missing',
])

/** A route that was tried, and what it failed with. */
export interface TriedRoute {
  readonly route: Route
  readonly error: ProbeError
}

/** Whether the next route may be tried: the way was refused, is impossible, or hung while it was dialled. */
export function leadsOn({failure}: ProbeError): boolean {
  return OF_THE_WAY.has(failure.code) || (failure.code === 'timeout' && failure.stage === 'dial')
}

/**
 * One failure for all routes that were tried: that of the route which got furthest, else of the first, which was the
 * best; the others stand in its hint, and all in its cause. There must be one.
 */
export function mostTelling(tried: readonly TriedRoute[], question: Question): ProbeError {
  const told = tried.find(({error}) => !leadsOn(error)) ?? tried[0]
  if (told === undefined) throw new Error('No route was tried')
  const others = tried.filter((one) => one !== told).map(({route, error}) => `${route}: ${error.failure.message}`)
  const {hint} = told.error.failure
  const tail = others.length === 0 ? undefined : `Also tried ${others.join('; ')}`
  const fullHint = [hint, tail].filter((text) => text !== undefined).join('. ')
  return withContext(told.error, question, told.route, {
    ...(fullHint !== '' && {hint: fullHint}),
    cause: tried.length === 1 ? told.error.cause : new AggregateError(tried.map(({error}) => error)),
  })
}

/** The same failure, saying which question met it and by which route. */
export function withContext(
  {failure, cause: ownCause}: ProbeError,
  {side, source}: Question,
  route: Route,
  {hint = failure.hint, cause = ownCause}: {readonly hint?: string; readonly cause?: unknown} = {},
): ProbeError {
  return new ProbeError({...failure, side, source, route, ...(hint !== undefined && {hint})}, {cause})
}
