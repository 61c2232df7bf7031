import type {ColumnHead} from '../view.ts'

/** Blanks between two columns; one in a terminal that is very narrow. */
export const GAP = 2

/** A column with what decides its width. */
export interface SizedColumn extends ColumnHead {
  /** Place of its cell in a line. */
  readonly index: number
  /** The header as it is shown; empty where the table has no head. */
  readonly head: string
  /** Width of its widest cell. */
  readonly widest: number
  /** Width of the widest first word of a cell; 0 where the column is not cut after its word. */
  readonly word: number
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

type WithWidth = SizedColumn & {readonly width: number}

/** Gives the width below which a step does not cut a column; undefined where it leaves the column alone. */
type Step = (column: SizedColumn) => number | undefined

/** Names that long are rare, and a column is not lost for them. */
const comfortable: Step = ({cut, word}) => {
  if (cut === 'middle') return 36
  return cut === undefined ? undefined : Math.max(40, word)
}

/** From what costs a reader least to what costs him most; the last one lets any width be reached. */
const STEPS: readonly Step[] = [
  comfortable,
  ({cut}) => (cut === 'middle' ? 20 : undefined),
  ({cutFirst, word}) => (cutFirst === true ? word : undefined),
  ({cut, word}) => (cut === 'after-word' || cut === 'end' ? Math.max(26, word) : undefined),
  ({cut}) => (cut === 'middle' ? 12 : undefined),
  ({cut, word}) => (cut === 'after-word' || cut === 'end' ? Math.max(12, word) : undefined),
  ({cut}) => (cut === 'middle' ? 5 : undefined),
  ({word}) => Math.max(3, word),
  () => 1,
]

/**
 * Fits a table into a terminal: it loses the columns that it may, in their order, wraps its heads, moves its columns
 * together, and last cuts cells, step by step, the widest first. Where no limit is given, nothing is lost.
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
    if (total(atComfort(sized(kept, areHeadsWrapped)), GAP) <= limit) break
    kept = kept.filter((each) => each !== column)
    lost.push(column.header)
  }
  const plain = cutDown(sized(kept, false), GAP, limit, [comfortable])
  if (total(plain, GAP) <= limit) return {columns: plain, gap: GAP, areHeadsWrapped: false, lost}
  const wrapped = sized(kept, true)
  const gap = total(atComfort(wrapped), GAP) <= limit ? GAP : 1
  const cut = cutDown(wrapped, gap, limit, STEPS)
  // A terminal of a dozen characters has no room for one character of each.
  const visible = cut.filter((_, index) => (index + 1) * (1 + gap) - gap <= limit)
  return {columns: visible, gap, areHeadsWrapped: true, lost}
}

function sized(columns: readonly SizedColumn[], areHeadsWrapped: boolean): readonly WithWidth[] {
  return columns.map((column) => {
    const words = areHeadsWrapped ? column.head.split(' ') : [column.head]
    return {...column, width: Math.max(column.widest, ...words.map(({length}) => length))}
  })
}

function total(columns: readonly WithWidth[], gap: number): number {
  return columns.reduce((sum, {width}) => sum + width, gap * Math.max(columns.length - 1, 0))
}

function atComfort(columns: readonly WithWidth[]): readonly WithWidth[] {
  return columns.map((column) => ({...column, width: Math.min(column.width, comfortable(column) ?? column.width)}))
}

function cutDown(
  columns: readonly WithWidth[],
  gap: number,
  limit: number,
  steps: readonly Step[],
): readonly WithWidth[] {
  return steps.reduce((cut, step) => cutStep(cut, gap, limit, step), columns)
}

function cutStep(columns: readonly WithWidth[], gap: number, limit: number, step: Step): readonly WithWidth[] {
  const excess = total(columns, gap) - limit
  if (excess <= 0) return columns
  const least = (column: WithWidth): number => step(column) ?? column.width
  const [widest, next] = columns.filter((column) => column.width > least(column)).toSorted((a, b) => b.width - a.width)
  if (widest === undefined) return columns
  // Down to the next widest at once, but no further than needed.
  const level = Math.min(next?.width ?? 0, widest.width - 1)
  const width = Math.max(level, widest.width - excess, least(widest))
  return cutStep(
    columns.map((column) => (column === widest ? {...column, width} : column)),
    gap,
    limit,
    step,
  )
}
