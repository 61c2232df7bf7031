import pMap from 'p-map'
import type {ProbeError} from '../../domain/failure.ts'
import type {Selection} from '../../domain/selection.ts'
import {atSelect} from './list-failure.ts'
import {narrowed, type PodQuery} from './pod-query.ts'
import {resolveTarget, type FoundTarget} from './resolve-target.ts'
import type {KubeSession} from '../connect/session.ts'

/** A query of a listing: a list to ask for, or why there is none. */
export type PlannedQuery = {readonly query: PodQuery} | {readonly failure: ProbeError}

/** Targets looked up at once. */
const CONCURRENCY = 8

/**
 * A query for each TARGET (in each namespace, where several are chosen), in the order given. A pod that an earlier
 * target has given is left out of later ones; that is told from the pod alone, so a resumed listing agrees with the
 * one that was broken off. A target that is not there is a failure in its place. Throws ProbeError for failures of
 * the server itself.
 */
export async function targetQueries(
  session: KubeSession,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly PlannedQuery[]> {
  const {namespaces} = selection
  const chosen = namespaces === 'all' || namespaces.length === 0 ? [session.namespace] : [...new Set(namespaces)]
  const resolved = await pMap(
    selection.targets,
    async (target) => {
      const found = await pMap(chosen, (namespace) => resolveTarget(session, target, namespace, signal), {
        concurrency: 1,
      })
      return {target, found: onePerNamespace(found)}
    },
    {concurrency: CONCURRENCY, signal},
  )
  const planned: PlannedQuery[] = []
  const earlier: FoundTarget[] = []
  for (const {target, found} of resolved) {
    if (found.length === 0) planned.push({failure: notFound(target.text, chosen)})
    for (const one of found) {
      planned.push({query: narrowed(without(one.query, [...earlier]), selection)})
      earlier.push(one)
    }
  }
  return planned
}

/** `name.namespace` means the same pod in whichever namespace it is looked for. */
function onePerNamespace(found: readonly (FoundTarget | undefined)[]): FoundTarget[] {
  const byNamespace = new Map(found.filter((one) => one !== undefined).map((one) => [one.query.namespace, one]))
  return [...byNamespace.values()]
}

function without(query: PodQuery, earlier: readonly FoundTarget[]): PodQuery {
  if (earlier.length === 0) return query
  const {admits} = query
  return {...query, admits: (pod) => (admits?.(pod) ?? true) && !earlier.some((other) => other.belongs(pod))}
}

/** A TARGET that has no object of its name. */
function notFound(text: string, namespaces: readonly string[]): ProbeError {
  const where = namespaces.join(', ')
  const what = text.includes('/') ? text : `pod ${text}`
  const hint = `See what is there: kubectl get pods -n ${namespaces[0] ?? 'default'}; another namespace is chosen with -n`
  return atSelect({code: 'not-found', message: `Cannot find ${what} in ${where}: there is none of that name`, hint})
}
