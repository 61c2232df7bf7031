import type {ProbeError} from '../domain/failure.ts'
import type {Selection} from '../domain/selection.ts'
import {atSelect} from './list-failure.ts'
import {narrowed, type PodQuery} from './pod-query.ts'
import {resolveTarget, type FoundTarget} from './resolve-target.ts'
import type {KubeSession} from './session.ts'

/** A query of a listing: a list to ask for, or why there is none. */
export type PlannedQuery = {readonly query: PodQuery; readonly target?: string} | {readonly failure: ProbeError}

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
  const planned: PlannedQuery[] = []
  const earlier: FoundTarget[] = []
  for (const target of selection.targets) {
    const inNamespaces = new Set<string>()
    for (const namespace of chosen) {
      const found = await resolveTarget(session, target, namespace, signal)
      // `name.namespace` means the same pod wherever it is looked for.
      if (found === undefined || inNamespaces.has(found.query.namespace)) continue
      inNamespaces.add(found.query.namespace)
      const before = [...earlier]
      const {admits} = found.query
      const query = {
        ...found.query,
        ...(before.length === 0 && admits === undefined
          ? {}
          : {
              admits: (pod: Parameters<FoundTarget['belongs']>[0]) =>
                (admits?.(pod) ?? true) && !before.some((other) => other.belongs(pod)),
            }),
      }
      planned.push({query: narrowed(query, selection), target: target.text})
      earlier.push(found)
    }
    if (inNamespaces.size === 0) planned.push({failure: notFound(target.text, chosen)})
  }
  return planned
}

/** A TARGET that has no object of its name. */
export function notFound(text: string, namespaces: readonly string[]): ProbeError {
  const where = namespaces.join(', ')
  const what = text.includes('/') ? text : `pod ${text}`
  const hint = `See what is there: kubectl get pods -n ${namespaces[0] ?? 'default'}; another namespace is chosen with -n`
  return atSelect({code: 'not-found', message: `Cannot find ${what} in ${where}: there is none of that name`, hint})
}
