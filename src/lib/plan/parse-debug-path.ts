import {RunError} from '../domain/failure.ts'
import {forbiddenInDebug} from '../profiles/forbidden-in-debug.ts'

/** A path and query that are safe to send as they stand. */
export interface DebugTarget {
  /** Absent where the text names none: the proxy's admin interface. */
  readonly port?: number
  readonly path: string
}

/** Splits `15000/config_dump?mask=bootstrap` and `/stats`. Throws RunError (2) for a port that is none. */
export function parseDebugPath(text: string): DebugTarget {
  const slash = text.indexOf('/')
  const port = slash === -1 ? text : text.slice(0, slash)
  if (slash === 0) return {path: text}
  if (slash === -1 || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw refused(text, 'a path begins with / or with a port and /', ['Write it as 15000/config_dump or /config_dump'])
  }
  return {port: Number(port), path: text.slice(slash)}
}

/** Path, query keys, and the two together as they are to be sent. */
export interface CheckedPath {
  readonly path: string
  readonly queryKeys: readonly string[]
  readonly request: string
}

/**
 * Takes a path apart without interpreting it: what a server might read as another path (encoded, doubled or dotted
 * segments, another host, a fragment) is refused, not cleaned. Throws RunError (2).
 */
export function checkPathText(text: string): CheckedPath {
  if (!text.startsWith('/')) throw refused(text, 'a path begins with /')
  if (/[^\x20-\x7e]/.test(text)) throw refused(text, 'it holds a control character or one outside ASCII')
  if (text.includes('#')) throw refused(text, 'it holds a fragment')
  const question = text.indexOf('?')
  const path = question === -1 ? text : text.slice(0, question)
  const query = question === -1 ? undefined : text.slice(question + 1)
  if (/[^A-Za-z0-9_\-./]/.test(path)) throw refused(text, 'its path holds more than letters, digits, _ - . and /')
  if (/\/\/|\/\.{1,2}(\/|$)/.test(path)) throw refused(text, 'its path has an empty or dotted segment')
  const parts = query === undefined || query === '' ? [] : query.split('&')
  const queryKeys = parts.map((part) => part.split('=', 1).join(''))
  const forbidden = forbiddenInDebug(path, queryKeys)
  if (forbidden !== undefined) throw refused(text, `${forbidden} changes, drains, profiles or runs something`)
  if (!queryKeys.every((key) => /^[A-Za-z0-9_-]+$/.test(key))) throw refused(text, 'a query key is empty or encoded')
  const request = parts.length === 0 ? path : `${path}?${parts.map((part) => encodeRest(text, part)).join('&')}`
  return {path, queryKeys, request}
}

/** A regular expression may be typed as it is; what a URL cannot hold is encoded, what is encoded already stays. */
function encodeRest(text: string, part: string): string {
  for (const [, hex = ''] of part.matchAll(/%(.{0,2})/g)) {
    const code = /^[0-9a-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN
    if (!(code >= 0x20 && code !== 0x7f)) throw refused(text, `%${hex} is no encoded character that may be sent`)
  }
  return part.replace(/[^A-Za-z0-9\-._~!$'()*+,;:@/?=%]/g, (char) => encodeURIComponent(char))
}

/** The usage error of a debug path. */
export function refused(text: string, why: string, hints: readonly string[] = []): RunError {
  return new RunError(2, 'debug-path', `Cannot ask for ${text.replace(/[^\x20-\x7e]/g, '?')}: ${why}`, hints)
}
