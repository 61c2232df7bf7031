import {RunError} from '../domain/failure.ts'
import type {Entry, Selected} from './select-pods.ts'

/** Pods that a hint names. */
const MAX_NAMES = 10

/**
 * Lets the one selected pod through, with the end of the listing. Of an owner's pods those that are finished or gone do
 * not count beside one that can be asked. Throws RunError where there is none, or more than one; `target` is what was
 * asked for, absent for whatever the files hold.
 */
export async function* onlyPod(entries: AsyncIterable<Entry>, target?: string): AsyncGenerator<Entry> {
  const asked: Selected[] = []
  const skipped: Selected[] = []
  let page: Entry | undefined
  for await (const entry of entries) {
    if (entry.type === 'page') page = entry
    else if (entry.selected.skip === undefined) asked.push(entry.selected)
    else if (skipped.length <= MAX_NAMES) skipped.push(entry.selected)
    if (asked.length > MAX_NAMES) break
  }
  const candidates = asked.length > 0 ? asked : skipped
  const [selected, ...others] = candidates
  if (selected === undefined)
    throw new RunError(4, 'not-found', `No pod with an agent belongs to ${target ?? 'the files'}`)
  if (others.length > 0) throw severalPods(candidates, target)
  yield {type: 'pod', selected}
  if (page !== undefined) yield page
}

function severalPods(candidates: readonly Selected[], target: string | undefined): RunError {
  const isMore = candidates.length > MAX_NAMES
  const count = isMore ? `more than ${MAX_NAMES}` : String(candidates.length)
  const areOfSeveral = new Set(candidates.map(({pod}) => pod.context)).size > 1
  const names = candidates.slice(0, MAX_NAMES).map(({pod}) => `${pod.name}.${pod.namespace}`)
  const what = target === undefined ? 'The files speak of' : `${target} has`
  return new RunError(2, 'several-pods', `${what} ${count} pods with an agent, and one can be shown`, [
    areOfSeveral ? 'Choose one cluster with --context' : `Name one of them: ${names.join(', ')}${isMore ? ', …' : ''}`,
  ])
}
