import type {ProbeError} from '../../domain/failure.ts'
import type {Pod} from '../../domain/pod.ts'
import {getObject} from './get-object.ts'
import {atSelect, explainListRefusal} from './list-failure.ts'
import {fieldsOf, listOf, textOf} from '../narrow.ts'
import {pagePath, type PodQuery} from './pod-query.ts'
import {projectPod} from './project-pod.ts'
import type {KubeSession} from '../connect/session.ts'

/** Where in one query a page begins, or the next one would. */
export interface PageStart {
  readonly token?: string
  /** Pods up to and with this one, in list order, are not given again. */
  readonly after?: {readonly namespace: string; readonly name: string}
}

/** One page of one query. */
export interface QueryPage {
  readonly pods: readonly Pod[]
  readonly start: PageStart
  /** Absent at the end of the query. */
  readonly next?: PageStart
  readonly remaining?: number
  /** A token has expired in this query: what follows is of a newer moment than what came before. */
  readonly expired: boolean
}

/** What listing needs to know beside the query. */
export interface ListOptions {
  /** Pods a page. */
  readonly chunkSize: number
  /** Set on each pod where several clusters are asked. */
  readonly contextName?: string
}

const MAX_EXPIRED = 3
const MAX_PAGE_BYTES = 400 * 1024 * 1024

/**
 * The pages of one query from `start` on. An expired token (410) is replaced by the one in the refusal; where there
 * is none the list begins anew and leaves out what was given. Throws ProbeError (stage `select`, or of the request)
 * where a page cannot be had, where the list expires three times without a new pod, and where the server's tokens
 * go round in a circle.
 */
export async function* listQuery(
  session: KubeSession,
  query: PodQuery,
  start: PageStart,
  options: ListOptions,
  signal: AbortSignal,
): AsyncGenerator<QueryPage> {
  const isWanted = (pod: Pod): boolean => isBeyond(pod, skipTo) && (query.admits?.(pod) ?? true)
  let token = start.token
  let after = start.after
  // Order is only relied on after a resumption: a server that does not sort must not lose pods in a plain listing.
  let skipTo = start.after
  let expired = false
  let expiredInVain = 0
  let circle = watchForCircle(token)
  if (query.object !== undefined) {
    const pod = projectPod(query.object, options.contextName)
    yield {pods: pod !== undefined && isWanted(pod) ? [pod] : [], start, expired}
    return
  }
  for (;;) {
    const answer = await getObject(session, pagePath(query, options.chunkSize, token), MAX_PAGE_BYTES, signal)
    if (answer.status === 410) {
      expired = true
      expiredInVain += 1
      if (expiredInVain === MAX_EXPIRED) throw keptExpiring(query, options)
      token = textOf(fieldsOf(answer.object['metadata'])['continue'])
      skipTo = after
      circle = watchForCircle(token)
      continue
    }
    if (answer.refusal !== undefined) throw explainListRefusal(answer, query, session.namespace)
    const metadata = fieldsOf(answer.object['metadata'])
    const pods = listOf(answer.object['items'])
      .map((item) => projectPod(item, options.contextName))
      .filter((pod) => pod !== undefined)
      .filter(isWanted)
    const last = pods.at(-1)
    if (last !== undefined) expiredInVain = 0
    const begin = {...(token === undefined ? {} : {token}), ...(after === undefined ? {} : {after})}
    after = last === undefined ? after : {namespace: last.namespace, name: last.name}
    const nextToken = textOf(metadata['continue'])
    const remaining = metadata['remainingItemCount']
    yield {
      pods,
      start: begin,
      ...(nextToken === undefined ? {} : {next: {token: nextToken, ...(after === undefined ? {} : {after})}}),
      ...(typeof remaining === 'number' && query.admits === undefined ? {remaining} : {}),
      expired,
    }
    if (nextToken === undefined) return
    if (circle(nextToken)) throw goesRound(query)
    token = nextToken
  }
}

/** List order is that of the store's keys, `namespace/name` byte by byte: `a-b/x` comes before `a/x`. */
function isBeyond(pod: Pod, after: PageStart['after']): boolean {
  return after === undefined || `${pod.namespace}/${pod.name}` > `${after.namespace}/${after.name}`
}

/** Brent's cycle detection: whether a token was met before, remembering one token only. */
function watchForCircle(first: string | undefined): (token: string) => boolean {
  let kept = first
  let steps = 0
  let keepAt = 1
  return (token) => {
    if (token === kept) return true
    steps += 1
    if (steps === keepAt) {
      kept = token
      keepAt *= 2
      steps = 0
    }
    return false
  }
}

function keptExpiring(query: PodQuery, options: ListOptions): ProbeError {
  const hint = `Ask for smaller pages: --chunk-size ${Math.max(1, Math.floor(options.chunkSize / 5))}`
  const message = `Cannot list pods in ${placeOf(query)}: the list kept expiring (410, ${MAX_EXPIRED} times)`
  return atSelect({code: 'api-unavailable', message, hint})
}

function goesRound(query: PodQuery): ProbeError {
  const message = `Cannot list pods in ${placeOf(query)}: the server repeats its continue token`
  return atSelect({code: 'api-unavailable', message, hint: 'The list is not to be trusted beyond this point'})
}

function placeOf(query: PodQuery): string {
  return query.namespace ?? 'the whole cluster'
}
