import type {TypeSync} from '../../domain/mesh-seen.ts'
import {isRecord, type JsonRecord, recordField, textField} from '../json/narrow.ts'
import {cutLine} from '../text/cut-line.ts'
import {parseTime} from '../text/rfc3339.ts'

/** Types that have fields of their own, and whether every Envoy watches them. */
const FIELDS = [
  {type: 'CDS', field: 'cluster', isWatchedByAll: true},
  {type: 'LDS', field: 'listener', isWatchedByAll: true},
  {type: 'EDS', field: 'endpoint', isWatchedByAll: true},
  {type: 'RDS', field: 'route', isWatchedByAll: true},
  {type: 'ECDS', field: 'extensionconfig', isWatchedByAll: false},
] as const

/** Istio's short names (istio `pkg/model/xds.go`), by the last part of a type's URL. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Cluster', 'CDS'],
  ['Listener', 'LDS'],
  ['ClusterLoadAssignment', 'EDS'],
  ['RouteConfiguration', 'RDS'],
  ['TypedExtensionConfig', 'ECDS'],
  ['Secret', 'SDS'],
  ['NameTable', 'NDS'],
  ['ProxyConfig', 'PCDS'],
])

/** A message may list every listener of a proxy; its beginning tells which and why. */
const MAX_ERROR_CHARACTERS = 1000

interface Pair {
  readonly sent?: string
  readonly acked?: string
  readonly sentMs?: number
  readonly error?: string
}

/**
 * How far a proxy is, from its entry in istiod's syncz: by type since mid-2018, under the types' URLs since 1.23. What a
 * pair of texts says never depends on what they are: times up to 1.1, nonces since.
 */
export function readTypes(entry: JsonRecord, isZtunnel: boolean): readonly TypeSync[] {
  const all = textField(entry, 'sent')
  if (all !== undefined) return [syncOf('all', pairOf(all, textField(entry, 'acked')))]
  const byUrl = recordField(entry, 'resources') ?? {}
  const listed = new Map(Object.entries(byUrl).flatMap(([url, said]) => (isRecord(said) ? [[nameOf(url), said]] : [])))
  const ofFields = FIELDS.filter(({type}) => !listed.has(type)).flatMap(({type, field, isWatchedByAll}) => {
    const pair = pairOf(textField(entry, `${field}_sent`), textField(entry, `${field}_acked`))
    const isWatched = pair.sent !== undefined || (isWatchedByAll && !isZtunnel)
    return isWatched ? [syncOf(type, pair)] : []
  })
  const ofUrls = [...listed].map(([type, said]) => syncOf(type, readPair(said)))
  return [...ofFields, ...ofUrls].toSorted((a, b) => rank(a) - rank(b))
}

function rank({type}: TypeSync): number {
  const place = FIELDS.findIndex((one) => one.type === type)
  return place === -1 ? FIELDS.length : place
}

function nameOf(url: string): string {
  const last = url.slice(url.lastIndexOf('/') + 1)
  const short = last.slice(last.lastIndexOf('.') + 1)
  return NAMES.get(short) ?? last
}

function readPair(said: JsonRecord): Pair {
  const sentMs = parseTime(textField(said, 'sentTime'))
  const error = textField(said, 'lastError')
  return {
    ...pairOf(textField(said, 'sent'), textField(said, 'acked')),
    ...(sentMs !== undefined && {sentMs}),
    ...(error !== undefined && error !== '' && {error: cutLine(error, MAX_ERROR_CHARACTERS)}),
  }
}

/** An empty text stands for none. */
function pairOf(sent = '', acked = ''): Pair {
  return {...(sent !== '' && {sent}), ...(acked !== '' && {acked})}
}

function syncOf(type: string, {sent, acked, sentMs, error}: Pair): TypeSync {
  const about = {type, ...(sentMs !== undefined && {sentMs})}
  if (error !== undefined) return {...about, state: 'ERROR', error}
  if (sent === undefined) return {...about, state: 'NOT SENT'}
  if (sent === acked) return {...about, state: 'SYNCED'}
  return {...about, state: 'STALE', ...(acked === undefined && {neverAcked: true})}
}
