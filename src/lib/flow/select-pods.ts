import type {Place, PodLister, PodPage} from '../domain/access.ts'
import type {Agent, Skip} from '../domain/agent.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {Pod} from '../domain/pod.ts'
import type {Selection} from '../domain/selection.ts'
import type {Watch} from './watch.ts'

/** What a profile makes of a pod. */
export interface Recognised {
  /** Absent where no profile knows the pod. */
  readonly agent?: Agent
  readonly skip?: Skip
  /** Why it cannot be asked, where that is a fault: a crashing agent. */
  readonly failure?: Failure
  /** The pod is going away: what fails on it then is no failure. */
  readonly leaving: boolean
}

/** A pod that is reported, and what is known before it is asked. */
export interface Selected extends Recognised {
  readonly pod: Pod
}

/** A pod that has gone since it was listed. */
export function asGone(selected: Selected): Selected {
  const {namespace, name} = selected.pod
  return {...selected, skip: {code: 'gone', message: `${namespace}/${name} has gone while it was waited for`}}
}

/** The selected pods in list order, and a marker after each page of the listing. */
export type Entry =
  | {readonly type: 'pod'; readonly selected: Selected}
  | {readonly type: 'page'; readonly next?: Place; readonly remaining?: number; readonly consistent: boolean}

export interface Selecting {
  readonly lister: PodLister
  readonly selection: Selection
  readonly recognise: (pod: Pod) => Recognised
  readonly from: Place | undefined
  /** Entries of type `pod` after which the listing ends, with a place that resumes after the last. */
  readonly limit: number | undefined
  readonly watch?: Watch
}

/**
 * Walks the listing and keeps what is selected. Nothing is asked here. Throws what the listing throws, and where the
 * limit ends it ProbeError for a part of it that could not be listed.
 */
export async function* selectPods(selecting: Selecting, signal: AbortSignal): AsyncGenerator<Entry> {
  let left = selecting.limit ?? Infinity
  for await (const page of readAhead(selecting.lister.pages(selecting.from, signal))) {
    const selected = page.pods.flatMap((pod) => select(pod, page, selecting) ?? [])
    const taken = selected.slice(0, left)
    const isLast = page.next === undefined || selected.length >= left
    selecting.watch?.listed(page.pods.length, taken.length, isLast ? 0 : page.remaining)
    for (const entry of taken) yield {type: 'pod', selected: entry}
    left -= taken.length
    const rest = selected.length - taken.length
    const last = taken.at(-1)
    if (rest > 0 && last !== undefined) {
      yield pageEnd(page, {...page.place, after: {namespace: last.pod.namespace, name: last.pod.name}}, rest)
      leave(page)
      return
    }
    yield pageEnd(page, page.next, 0)
    if (left <= 0 && page.next !== undefined) {
      leave(page)
      return
    }
  }
}

/** Leaves the listing before its end, where it would tell what could not be listed. */
function leave({missed}: PodPage): void {
  if (missed !== undefined) throw new ProbeError(missed)
}

function pageEnd(page: PodPage, next: Place | undefined, rest: number): Entry {
  return {
    type: 'page',
    consistent: page.consistent,
    ...(next !== undefined && {next}),
    ...(next !== undefined && page.remaining !== undefined && {remaining: page.remaining + rest}),
  }
}

function select(pod: Pod, page: PodPage, {selection, recognise}: Selecting): Selected | undefined {
  const {match, kinds, revision, container} = selection
  if (match !== undefined && !match.test(pod.name)) return undefined
  const recognised = recognise(pod)
  const isNamed = selection.targets[page.place.query]?.resource === 'pods'
  if (recognised.agent === undefined && !isNamed) return undefined
  if (kinds.length > 0 && !kinds.includes(recognised.agent?.kind ?? '')) return undefined
  if (revision !== undefined && (recognised.agent?.revision ?? 'default') !== revision) return undefined
  if (container !== undefined && !pod.containers.some(({name}) => name === container)) return undefined
  return {pod, ...recognised}
}

/** Fetches the next page while the pods of this one are being asked. */
async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let following = iterator.next()
  try {
    for (;;) {
      const result = await following
      if (result.done === true) return
      following = iterator.next()
      // It is awaited in the next round; until then a rejection must not count as unhandled.
      following.catch(() => undefined)
      yield result.value
    }
  } finally {
    await iterator.return?.()
  }
}
