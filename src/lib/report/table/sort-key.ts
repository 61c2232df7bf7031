import {evaluatePath} from '../jsonpath/evaluate-path.ts'
import type {JsonPath} from '../jsonpath/json-path.ts'
import type {Fields} from '../view.ts'

/** What a row is ordered by; undefined where it has no such field. */
export type SortKey = string | number | boolean | undefined

/** The first value that the path leads to in a row. */
export function sortKey(path: JsonPath, row: Fields): SortKey {
  const [value] = evaluatePath(path, row, row)
  if (value === undefined || value === null) return undefined
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? value : JSON.stringify(value)
}

/**
 * An order of keys: numbers before texts; rows without the field last. Texts that hold numbers are ordered by them, as
 * kubectl does: `cart-2` before `cart-10`.
 */
export function sortKeyOrder(): (a: SortKey, b: SortKey) => number {
  const natural = new Intl.Collator('en', {numeric: true})
  return (a, b) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    if (typeof a === 'string' || typeof b === 'string') {
      if (typeof a !== typeof b) return typeof a === 'string' ? 1 : -1
      return natural.compare(String(a), String(b))
    }
    return Number(a) - Number(b)
  }
}
