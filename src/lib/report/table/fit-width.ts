import type {ColumnHead} from '../view.ts'

/** Blanks between two columns; one in a terminal that is very narrow. */
export const GAP = 2

/** Characters below which no column is cut. */
const LEAST = 12

/** A column with what decides its width. */
export interface SizedColumn extends ColumnHead {
  /** Place of its cell in a line. */
  readonly index: number
  /** The header as it is shown; empty where the table has no head. */
  readonly head: string
  /** Width of its widest cell. */
  readonly widest: number
}

/** What of a table fits. */
export interface Fit {
  readonly columns: readonly (SizedColumn & {readonly width: number})[]
  /** Blanks between two columns. */
  readonly gap: number
  /** A head of several words takes several lines. */
  readonly areHeadsWrapped: boolean
  /** Heads of the columns that are left out, in the order in which they went. */
  readonly lost: readonly string[]
}

/**
 * Fits a table into a terminal: it loses the columns that it may, in their order, wraps its heads, moves its columns
 * together, and last cuts the cells that it may, the widest first. Where no limit is given, nothing is lost.
 */
export function fitWidth(columns: readonly SizedColumn[], limit: number = Number.POSITIVE_INFINITY): Fit {
  let kept = columns
  const lost: string[] = []
  const losable = columns
    .filter(({loseAs}) => loseAs !== undefined)
    .toSorted((a, b) => (a.loseAs ?? 0) - (b.loseAs ?? 0))
  for (const column of losable) {
    // A column that may be lost only after its head could be wrapped stays if that is enough.
    const areHeadsWrapped = column.loseAfterWrap === true
    if (total(sized(kept, areHeadsWrapped), GAP) <= limit) break
    kept = kept.filter((each) => each !== column)
    lost.push(column.header)
  }
  const plain = sized(kept, false)
  if (total(plain, GAP) <= limit) return {columns: plain, gap: GAP, areHeadsWrapped: false, lost}
  const wrapped = sized(kept, true)
  const gap = total(wrapped, GAP) <= limit ? GAP : 1
  return {columns: cutDown(wrapped, gap, limit), gap, areHeadsWrapped: true, lost}
}

type WithWidth = SizedColumn & {readonly width: number}

function sized(columns: readonly SizedColumn[], areHeadsWrapped: boolean): readonly WithWidth[] {
  return columns.map((column) => {
    const words = areHeadsWrapped ? column.head.split(' ') : [column.head]
    return {...column, width: Math.max(column.widest, ...words.map(({length}) => length))}
  })
}

function total(columns: readonly WithWidth[], gap: number): number {
  return columns.reduce((sum, {width}) => sum + width, gap * Math.max(columns.length - 1, 0))
}

function cutDown(columns: readonly WithWidth[], gap: number, limit: number): readonly WithWidth[] {
  const cuttable = columns.filter(({cut, width}) => cut !== undefined && width > LEAST)
  const [widest] = cuttable.toSorted((a, b) => b.width - a.width)
  if (widest === undefined || total(columns, gap) <= limit) return columns
  // Down to the next widest at once, but no further than needed.
  const next = Math.max(LEAST, ...cuttable.filter((each) => each !== widest).map(({width}) => width))
  const width = Math.max(Math.min(next, widest.width - 1), widest.width - (total(columns, gap) - limit), LEAST)
  return cutDown(
    columns.map((column) => (column === widest ? {...column, width} : column)),
    gap,
    limit,
  )
}
