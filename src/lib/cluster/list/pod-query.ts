import type {Pod} from '../../domain/pod.ts'
import type {Selection} from '../../domain/selection.ts'

/** One list of pods to ask the API server for; a listing is a row of them. */
export interface PodQuery {
  /** Absent: the whole cluster. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The one pod that is meant, as the server gave it, where it has been read already: no list is asked for then. */
  readonly object?: unknown
  /** Narrows what the server gives where its selectors cannot say it. */
  readonly admits?: (pod: Pod) => boolean
}

/** A query for each chosen namespace, in the order given and each once; the context's own where none is chosen. */
export function namespaceQueries(selection: Selection, ownNamespace: string): readonly PodQuery[] {
  const {namespaces} = selection
  if (namespaces === 'all') return [narrowed({}, selection)]
  const names = namespaces.length === 0 ? [ownNamespace] : [...new Set(namespaces)]
  return names.map((namespace) => narrowed({namespace}, selection))
}

/** The query with the selection's selectors and nodes laid over it: one node is the server's work, several are ours. */
export function narrowed(query: PodQuery, selection: Selection): PodQuery {
  const {object, admits, ...rest} = query
  const nodes = new Set(selection.nodes)
  const [onlyNode] = nodes
  const isKnown = object !== undefined && !isGiven(selection.labelSelector) && !isGiven(selection.fieldSelector)
  const isAsked = nodes.size === 1 && onlyNode !== undefined && !isKnown
  const labels = [query.labelSelector, selection.labelSelector].filter(isGiven)
  const fields = [
    query.fieldSelector,
    selection.fieldSelector,
    isAsked ? `spec.nodeName=${escapeFieldValue(onlyNode)}` : undefined,
  ].filter(isGiven)
  const isOnNode = (pod: Pod): boolean => pod.node !== undefined && nodes.has(pod.node)
  const filter = nodes.size === 0 || isAsked ? admits : (pod: Pod): boolean => isOnNode(pod) && (admits?.(pod) ?? true)
  return {
    ...rest,
    ...(isKnown ? {object} : {}),
    ...(labels.length > 0 ? {labelSelector: labels.join(',')} : {}),
    ...(fields.length > 0 ? {fieldSelector: fields.join(',')} : {}),
    ...(filter === undefined ? {} : {admits: filter}),
  }
}

/** The path and query of one page. `resourceVersion` is never sent: older servers then ignore the limit. */
export function pagePath(query: PodQuery, limit: number, token: string | undefined): string {
  const path =
    query.namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(query.namespace)}/pods`
  const search = new URLSearchParams({limit: String(limit)})
  if (token !== undefined) search.set('continue', token)
  if (query.labelSelector !== undefined) search.set('labelSelector', query.labelSelector)
  if (query.fieldSelector !== undefined) search.set('fieldSelector', query.fieldSelector)
  return `${path}?${search.toString()}`
}

/** A value inside a field selector (apimachinery `fields.EscapeValue`). */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}
