import type {Place, PodLister, PodPage} from '../../domain/access.ts'
import {ProbeError, RunError} from '../../domain/failure.ts'
import type {Selection} from '../../domain/selection.ts'
import {asRunError, atSelect} from './list-failure.ts'
import {listQuery, type ListOptions, type PageStart} from './list-query.ts'
import {namespaceQueries} from './pod-query.ts'
import type {KubeSession} from '../connect/session.ts'
import {targetQueries, type PlannedQuery} from './target-queries.ts'

/** How one context is listed. */
export interface ListPodsOptions extends ListOptions {
  /** Index of the context in the run; goes into each page's place. */
  readonly contextIndex: number
}

/**
 * Lists the pods that a selection chooses in one cluster: page by page, namespaces or targets in the order given,
 * each pod once. Selectors and nodes are applied; revision, kinds, container and names are left to the caller.
 *
 * A namespace that may not be listed, and a target that is not there, does not stop the others: they are listed, and
 * then the failure is thrown. It is a RunError (exit 4; 2 for a selector that the server refuses) where no page was
 * had at all, else a ProbeError of stage `select`. Any other failure is thrown at once, by the same rule.
 */
export function listPods(session: KubeSession, selection: Selection, options: ListPodsOptions): PodLister {
  return {pages: (from, signal) => allPages(session, selection, options, from, signal)}
}

async function* allPages(
  session: KubeSession,
  selection: Selection,
  options: ListPodsOptions,
  from: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<PodPage> {
  let isShown = false
  const missed: ProbeError[] = []
  try {
    const queries = await planQueries(session, selection, signal)
    if (from !== undefined && !(from.query in queries)) {
      throw new RunError(
        2,
        'usage',
        'The cursor is of another query: it points to a namespace or target that is not chosen',
      )
    }
    let consistent = true
    for (const [index, planned] of queries.entries()) {
      if (index < (from?.query ?? 0)) continue
      if ('failure' in planned) {
        missed.push(planned.failure)
        continue
      }
      let isFirst = true
      try {
        for await (const page of listQuery(session, planned.query, startAt(index, from), options, signal)) {
          isFirst = false
          isShown = true
          consistent &&= !page.expired
          const podPage = toPodPage(page, index, queries.length, options.contextIndex, consistent)
          yield missed.length === 0 ? podPage : {...podPage, missed: together(missed).failure}
        }
      } catch (error) {
        if (!isFirst || !isOfOneQuery(error)) throw error
        missed.push(error)
      }
    }
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error
    throw isShown ? atSelect(error.failure) : asRunError(error)
  }
  if (missed.length === 0) return
  const failure = together(missed)
  throw isShown ? failure : asRunError(failure)
}

async function planQueries(
  session: KubeSession,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly PlannedQuery[]> {
  if (selection.targets.length > 0) return targetQueries(session, selection, signal)
  return namespaceQueries(selection, session.namespace).map((query) => ({query}))
}

function startAt(index: number, from: Place | undefined): PageStart {
  if (from === undefined || index !== from.query) return {}
  const {token, after} = from
  return {...(token === undefined ? {} : {token}), ...(after === undefined ? {} : {after})}
}

function toPodPage(
  page: {
    readonly pods: PodPage['pods']
    readonly start: PageStart
    readonly next?: PageStart
    readonly remaining?: number
  },
  index: number,
  queries: number,
  context: number,
  consistent: boolean,
): PodPage {
  const isLast = index === queries - 1
  const next = page.next === undefined ? (isLast ? undefined : {query: index + 1}) : {query: index, ...page.next}
  return {
    pods: page.pods,
    place: {context, query: index, ...page.start},
    ...(next === undefined ? {} : {next: {context, ...next}}),
    // What further queries hold, nobody has counted.
    ...(isLast && page.remaining !== undefined ? {remaining: page.remaining} : {}),
    consistent,
  }
}

/** A refusal that says nothing of the other namespaces and targets. */
function isOfOneQuery(error: unknown): error is ProbeError {
  return (
    error instanceof ProbeError &&
    error.failure.stage === 'select' &&
    ['forbidden', 'not-found'].includes(error.failure.code)
  )
}

/** One failure for all; there must be one. */
function together(missed: readonly ProbeError[]): ProbeError {
  const [first] = missed
  if (first === undefined) throw new Error('Nothing was missed')
  if (missed.length === 1) return first
  const rest = missed.slice(1, 4).map((error) => error.message)
  const more = missed.length > 4 ? ` (and ${missed.length - 4} more)` : ''
  return new ProbeError({...first.failure, message: `${[first.message, ...rest].join('; ')}${more}`})
}
