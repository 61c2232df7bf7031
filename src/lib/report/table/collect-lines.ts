import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {compareStanding, isProblem, standingOf, type Standing} from '../severity.ts'
import type {RenderStyle} from '../style.ts'
import type {Fields, Line, TableShape, View} from '../view.ts'
import {FoldedLines} from './fold-lines.ts'
import {type PackedLine, packLine} from './packed-line.ts'
import {sortKeyOrder, type SortKey, sortKey} from './sort-key.ts'

/** Pods of which `auto` shows everything. */
const AUTO_ALL = 100

/** Lines of a table, in the order in which they are shown. */
export interface CollectedLines {
  readonly pods: number
  /** The run ended early. */
  readonly isStopped: boolean
  readonly lines: readonly PackedLine[]
  /** What `--show` leaves out: lines, and the pods that they are of. */
  readonly hidden: {readonly lines: number; readonly pods: number}
  /** Columns, by index, that hold more than one value. */
  readonly several: ReadonlySet<number>
}

/** Lines that stay together: those of a pod, or a single one where the user orders them. */
interface Group extends Standing {
  readonly key: SortKey
  readonly lines: readonly PackedLine[]
}

/** Gathers the lines of all pods: widths and order are known only once the last is in. */
export async function collectLines<Item extends PodItem>(
  view: View<Item>,
  shape: TableShape<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): Promise<CollectedLines> {
  const firsts: string[] = []
  const several = new Set<number>()
  const hidden = {lines: 0, pods: 0}
  let groups: Group[] = []
  let fleetGroups: readonly Group[] = []
  let pods = 0
  let isStopped = false

  const hide = (lines: readonly Line[]): readonly Line[] => {
    const kept = lines.filter(({verdict, always}) => always === true || isProblem(verdict))
    hidden.lines += lines.length - kept.length
    hidden.pods += Number(kept.length < lines.length)
    return kept
  }

  // Held with their lines as they are until it is known whether `auto` hides any.
  let undecided: {readonly item: Item; readonly lines: readonly Line[]}[] = []
  const folded = new FoldedLines()
  const keep = (item: Item, lines: readonly Line[]) => {
    // Who orders the lines wants each of them.
    const alone = style.sortBy === undefined ? lines.filter((line) => !folded.take(line)) : lines
    groups.push(...groupLines(alone, () => view.rows(item, style), style))
  }

  for await (const event of events) {
    if (event.type === 'fleet') {
      const lines = shape.fleetLines?.(event) ?? []
      noteValues(shape, lines, firsts, several)
      fleetGroups = groupLines(lines, () => view.fleet?.rows(event, style) ?? [], style)
    }
    if (event.type === 'stopped') isStopped = true
    if (event.type !== 'item') continue
    const lines = shape.lines(event.item)
    pods += 1
    noteValues(shape, lines, firsts, several)
    if (style.show !== 'auto' || shape.sumsUpWell === true) keep(event.item, style.show === 'all' ? lines : hide(lines))
    else if (pods <= AUTO_ALL) undecided.push({item: event.item, lines})
    else {
      for (const waiting of undecided) keep(waiting.item, hide(waiting.lines))
      undecided = []
      keep(event.item, hide(lines))
    }
  }
  for (const {item, lines} of undecided) keep(item, lines)
  for (const line of folded.all()) groups.push(...groupLines([line], () => [], style))
  groups = [...groups, ...fleetGroups].toSorted(style.sortBy === undefined ? compareStanding : orderByKey())
  return {pods, isStopped, lines: groups.flatMap(({lines}) => lines), hidden, several}
}

function orderByKey(): (a: Group, b: Group) => number {
  const order = sortKeyOrder()
  return (a, b) => order(a.key, b.key)
}

function noteValues<Item>(
  {columns}: TableShape<Item>,
  lines: readonly Line[],
  firsts: string[],
  several: Set<number>,
): void {
  for (const [index, column] of columns.entries()) {
    if (column.ifSeveral !== true || several.has(index)) continue
    for (const {cells} of lines) {
      const text = cells[index]?.text ?? ''
      if ((firsts[index] ??= text) !== text) several.add(index)
    }
  }
}

function groupLines(lines: readonly Line[], rowsOf: () => readonly Fields[], {sortBy}: RenderStyle): readonly Group[] {
  if (lines.length === 0) return []
  if (sortBy === undefined) {
    return [{...standingOf(lines), key: undefined, lines: lines.map(({cells}) => packLine(cells))}]
  }
  const rows = rowsOf()
  return lines.map(({cells, verdict, secondsLeft, row}) => ({
    verdict,
    secondsLeft,
    key: sortKey(sortBy, rows[row] ?? {}),
    lines: [packLine(cells)],
  }))
}
