import {createHash} from 'node:crypto'
import type {Place} from '../domain/access.ts'
import {RunError} from '../domain/failure.ts'

const VERSION = 1

/** A short name of a query: equal for equal selections, whatever the order of object keys. */
export function fingerprintQuery(query: unknown): string {
  return createHash('sha256').update(canonical(query)).digest('base64url').slice(0, 16)
}

/** The text for `--continue`: opaque, and bound to its query. */
export function encodeCursor(place: Place, query: string): string {
  return Buffer.from(JSON.stringify({v: VERSION, q: query, p: place})).toString('base64url')
}

/** Reads a cursor; throws RunError (usage) for text that is none, or one of another query. */
export function decodeCursor(text: string, query: string): Place {
  const value = parse(text)
  const place = value?.['p']
  if (value?.['v'] !== VERSION || !isPlace(place)) {
    throw new RunError(2, 'bad-cursor', `Not a cursor of this program: ${text.slice(0, 60)}`, [
      'Take the text that an earlier run printed after --continue',
    ])
  }
  if (value['q'] !== query) {
    throw new RunError(2, 'cursor-of-another-query', 'This cursor belongs to another query', [
      'Give the same contexts, namespaces, selectors and targets as the run that printed it',
    ])
  }
  return place
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIndex(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isPlace(value: unknown): value is Place {
  if (!isRecord(value)) return false
  const {context, query, token, after} = value
  if (!isIndex(context) || !isIndex(query)) return false
  if (token !== undefined && typeof token !== 'string') return false
  if (after === undefined) return true
  return isRecord(after) && typeof after['namespace'] === 'string' && typeof after['name'] === 'string'
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof RegExp) return String(inner)
    if (!isRecord(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
