import type {Place, PodLister, PodPage} from '../domain/access.ts'
import {type Failure, ProbeError, RunError} from '../domain/failure.ts'

/**
 * Several contexts as one listing, one after the other. A context that cannot be listed, or not all of it, hides no
 * other: the rest is given first, then its error is thrown; where none could be listed, the first error is. A listing
 * that breaks off between two pages ends all of it: there it can be gone on with.
 */
export function chainListers(listers: readonly PodLister[]): PodLister {
  const [only] = listers
  if (only !== undefined && listers.length === 1) return only
  return {pages: (from, signal) => pagesOfAll(listers, from, signal)}
}

async function* pagesOfAll(
  listers: readonly PodLister[],
  from: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<PodPage> {
  const start = from?.context ?? 0
  const refused: (RunError | ProbeError)[] = []
  let hasListed = false
  for (const [index, lister] of listers.entries()) {
    if (index < start) continue
    try {
      for await (const page of lister.pages(index === start ? from : undefined, signal)) {
        hasListed = true
        yield withMissed(withNext(page, index, listers.length), refused)
      }
    } catch (error) {
      if (!(error instanceof RunError || isOfOneContext(error))) throw error
      refused.push(error)
    }
  }
  const [first] = refused
  if (first === undefined) return
  throw hasListed ? new ProbeError(failureOf(first), {cause: first}) : first
}

/** Rights that are short, or a target that is not there, say nothing of the other contexts. */
function isOfOneContext(error: unknown): error is ProbeError {
  return error instanceof ProbeError && ['forbidden', 'not-found'].includes(error.failure.code)
}

function withNext(page: PodPage, index: number, count: number): PodPage {
  if (page.next !== undefined || index + 1 >= count) return page
  // What the next context holds is not known, so neither is what remains.
  const {remaining: _unknown, ...rest} = page
  return {...rest, next: {context: index + 1, query: 0}}
}

function withMissed(page: PodPage, [first]: readonly (RunError | ProbeError)[]): PodPage {
  return first === undefined ? page : {...page, missed: failureOf(first)}
}

function failureOf(error: RunError | ProbeError): Failure {
  if (error instanceof ProbeError) return error.failure
  const [hint] = error.hints
  return {stage: 'select', code: 'api-unavailable', message: error.message, ...(hint !== undefined && {hint})}
}
