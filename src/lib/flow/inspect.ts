import {pMapIterable} from 'p-map'
import type {Place} from '../domain/access.ts'
import {ProbeError} from '../domain/failure.ts'
import type {FleetReport, PodItem, ReportEvent} from '../domain/report.ts'
import {encodeCursor} from './cursor.ts'
import {RunInterrupted, RunTimeout} from './run-end.ts'
import {type Entry, type Selected, type Selecting, selectPods} from './select-pods.ts'

/** What a run says of all its pods: takes each in list order, and concludes once. */
export interface FleetFold<Item extends PodItem> {
  take(item: Item): void
  /** `isWhole`: no selected pod was left out. */
  conclude(isWhole: boolean): Pick<FleetReport, 'findings' | 'roots' | 'check'>
}

/** One run over the selected pods. */
export interface Inspection<Item extends PodItem> extends Selecting {
  /** Makes one pod's item; what it throws is a bug or the run's own end. */
  readonly look: (selected: Selected, signal: AbortSignal) => Promise<Item>
  /** What of the selection is looked at; absent: all of it. */
  readonly narrow?: (entries: AsyncIterable<Entry>) => AsyncIterable<Entry>
  /** What is made of all items together. */
  readonly fleet?: FleetFold<Item>
  /** Pods at once. */
  readonly concurrency: number
  /** Finished items that may wait behind a slow one. */
  readonly waiting: number
  /** Fingerprint of the query, for cursors. */
  readonly query: string
  /** Aborted with RunInterrupted or RunTimeout when the run has to end. */
  readonly signal: AbortSignal
}

type Outcome<Item> = {readonly type: 'item'; readonly item: Item} | Extract<Entry, {type: 'page'}>

/**
 * Every selected pod once, in list order, a bounded number at once. Throws where there is no answer at all (RunError);
 * once something was reported, an early end is a `stopped` event.
 */
export async function* inspect<Item extends PodItem>(run: Inspection<Item>): AsyncGenerator<ReportEvent<Item>> {
  const left = new AbortController()
  const signal = AbortSignal.any([run.signal, left.signal])
  const work = async (entry: Entry): Promise<Outcome<Item>> => {
    if (entry.type === 'page') return entry
    const item = await run.look(entry.selected, signal)
    run.watch?.looked(item)
    return {type: 'item', item}
  }
  let place = run.from
  let hasBegun = false
  let isWhole = run.from === undefined
  try {
    const entries = selectPods(run, signal)
    const outcomes = pMapIterable(run.narrow?.(entries) ?? entries, work, {
      concurrency: run.concurrency,
      backpressure: run.concurrency + run.waiting,
    })
    for await (const outcome of outcomes) {
      // Once interrupted, answers are not to be trusted, and the page must not count as reported.
      run.signal.throwIfAborted()
      hasBegun = true
      if (outcome.type === 'item') {
        run.fleet?.take(outcome.item)
        yield outcome
        place = after(place, outcome.item)
      } else {
        place = outcome.next
        yield pageEvent(outcome, run.query)
      }
    }
    isWhole &&= place === undefined
  } catch (error) {
    const stopped = asStopped(error, hasBegun, place, run.query)
    if (stopped === undefined) throw error
    isWhole = false
    yield stopped
  } finally {
    left.abort()
    run.watch?.ended()
  }
  yield {type: 'fleet', complete: isWhole, findings: [], ...run.fleet?.conclude(isWhole)}
}

function after(place: Place | undefined, {pod}: PodItem): Place {
  return {context: 0, query: 0, ...place, after: {namespace: pod.namespace, name: pod.name}}
}

function pageEvent(page: Extract<Entry, {type: 'page'}>, query: string): Extract<ReportEvent, {type: 'page'}> {
  const {next, remaining, consistent} = page
  return {
    type: 'page',
    consistent,
    ...(next !== undefined && {cursor: encodeCursor(next, query)}),
    ...(remaining !== undefined && {remaining}),
  }
}

type Stopped = Extract<ReportEvent, {type: 'stopped'}>

function asStopped(error: unknown, hasBegun: boolean, place: Place | undefined, query: string): Stopped | undefined {
  const cursor = place === undefined ? {} : {cursor: encodeCursor(place, query)}
  if (error instanceof RunInterrupted) return {type: 'stopped', code: 'interrupted', message: error.message, ...cursor}
  if (error instanceof RunTimeout) {
    const goOn = place === undefined ? '' : ', or go on with --continue'
    const hint = `Give the run longer with --timeout${goOn}`
    return {type: 'stopped', code: 'timeout', message: error.message, hint, ...cursor}
  }
  if (!(error instanceof ProbeError) || !hasBegun) return undefined
  const {code, message, hint} = error.failure
  // Told once all else was listed: there is nothing to go on with.
  const isOfOneTarget = code === 'not-found' || code === 'forbidden'
  return {type: 'stopped', code, message, ...(hint !== undefined && {hint}), ...(!isOfOneTarget && cursor)}
}
