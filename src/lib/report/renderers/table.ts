import {countOf} from '../../domain/count-text.ts'
import stringWidth from 'string-width'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import type {Note, RenderStyle} from '../style.ts'
import {type CollectedLines, collectLines} from '../table/collect-lines.ts'
import {cutText, firstWord} from '../table/cut-text.ts'
import {type Fit, fitWidth, type SizedColumn} from '../table/fit-width.ts'
import {layOut, type PrintCell} from '../table/lay-out.ts'
import {EMPTY, type PackedLine, unpackLine} from '../table/packed-line.ts'
import {type Paint, paintWith} from '../table/paint.ts'
import {remarksText} from '../table/remarks-text.ts'
import type {Cell, ColumnHead, View} from '../view.ts'

interface TableStyle extends RenderStyle {
  /** All columns, and nothing folded, lost or cut. */
  readonly wide: boolean
}

/** Aligned columns for people. What is left out is said in notes. */
export async function* renderTable<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: TableStyle,
  note: Note,
): AsyncGenerator<string> {
  const shape = view.table({wide: style.wide, nowMs: style.nowMs})
  const below: string[] = []
  const collected = await collectLines(view, shape, takeRemarks(view, events, style, below), style)
  // Of a run that ended early it is not known whether there are any.
  if (collected.pods === 0 && !collected.isStopped) note(view.nothing)
  if (collected.lines.length > 0) {
    const columns = sizeColumns(shape.columns, collected, style.headers)
    // Who asks for everything gets it, however long the lines.
    const fit = fitWidth(columns, style.wide ? undefined : style.width)
    if (fit.lost.length > 0) note(`The terminal is too narrow for ${fit.lost.join(', ')}: see --output wide`)
    const rows = printRows(collected.lines, fit, style)
    const widths = fit.columns.map(({width}) => width)
    yield* layOut(rows, widths, fit.gap)
  }
  yield* below
  noteHidden(collected, note)
}

/** The events as they come, while what is to stand below the table is kept of each item. */
async function* takeRemarks<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  {wide, width, colour}: TableStyle,
  below: string[],
): AsyncGenerator<ReportEvent<Item>> {
  const limit = wide || width === undefined ? Number.POSITIVE_INFINITY : width
  const paint = paintWith(colour)
  for await (const event of events) {
    const paragraphs =
      event.type === 'item'
        ? view.remarks?.(event.item)
        : event.type === 'fleet'
          ? view.fleet?.remarks(event, {wide})
          : undefined
    below.push(...(paragraphs ?? []).map((one) => remarksText(one, limit, paint)))
    yield event
  }
}

function sizeColumns(
  columns: readonly ColumnHead[],
  {lines, several}: CollectedLines,
  headers: boolean,
): readonly SizedColumn[] {
  const widest = columns.map(() => 0)
  const words = columns.map(() => 0)
  for (const line of lines) {
    for (const [index, {text, spills}] of unpackLine(line).entries()) {
      if (spills === true) {
        // It is as wide as it is; a column without any width would have no room for its beginning.
        widest[index] = Math.max(widest[index] ?? 0, 1)
        continue
      }
      widest[index] = Math.max(widest[index] ?? 0, stringWidth(text))
      if (columns[index]?.cut === 'after-word') words[index] = Math.max(words[index] ?? 0, stringWidth(firstWord(text)))
    }
  }
  return columns
    .map((column, index) => ({
      ...column,
      index,
      widest: widest[index] ?? 0,
      word: words[index] ?? 0,
      head: headers ? column.header : '',
    }))
    .filter(({ifSeveral, index}) => ifSeveral !== true || several.has(index))
}

function* printRows(
  lines: readonly PackedLine[],
  fit: Fit,
  {headers, colour, wide, width}: TableStyle,
): Generator<readonly PrintCell[]> {
  const paint = paintWith(colour)
  const limit = wide || width === undefined ? Number.POSITIVE_INFINITY : width
  if (headers) yield* headRows(fit, paint)
  for (const line of lines) {
    yield placeCells(unpackLine(line), fit, limit).map(({text, tone, spills}) => ({
      text,
      painted: paint(text, tone),
      spills: spills === true,
    }))
  }
}

/** The cells of one line, cut to their columns. One that spills takes the place of empty ones before it if it must. */
function placeCells(cells: readonly Cell[], {columns, gap}: Fit, limit: number): readonly Cell[] {
  const placed: Cell[] = []
  // Where the next cell starts, and where a run of empty cells does that ends there.
  let start = 0
  let free: {readonly start: number; readonly before: number} | undefined
  for (const {index, width, cut} of columns) {
    const cell = cells[index]
    if (cell === undefined) continue
    if (cell.spills === true) {
      const fits = start + stringWidth(cell.text) <= limit
      const place = fits ? undefined : free
      const room = Math.max(limit - (place?.start ?? start), width)
      return [...placed.slice(0, place?.before), {...cell, text: cutText(cell.text, room, 'end')}]
    }
    free = cell.text === EMPTY ? (free ?? {start, before: placed.length}) : undefined
    placed.push({...cell, text: cutText(cell.text, width, cut ?? 'end')})
    start += width + gap
  }
  return placed
}

function headRows({columns, areHeadsWrapped}: Fit, paint: Paint): readonly (readonly PrintCell[])[] {
  const heads = columns.map(({head}) => (areHeadsWrapped ? head.split(' ') : [head]))
  const height = Math.max(...heads.map(({length}) => length))
  return Array.from({length: height}, (_, line) =>
    heads.map((words, index) => {
      const text = cutText(words[line] ?? '', columns[index]?.width ?? 1, 'end')
      return {text, painted: paint(text, 'head')}
    }),
  )
}

function noteHidden({hidden}: CollectedLines, note: Note): void {
  if (hidden.lines === 0) return
  const [rows, pods] = [countOf(hidden.lines, 'row'), countOf(hidden.pods, 'pod')]
  note(`Not shown: ${rows} without a problem, of ${pods}; --show all shows them`)
}
