import stringWidth from 'string-width'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import type {Note, RenderStyle} from '../style.ts'
import {type CollectedLines, collectLines} from '../table/collect-lines.ts'
import {cutText} from '../table/cut-text.ts'
import {type Fit, fitWidth, type SizedColumn} from '../table/fit-width.ts'
import {layOut, type PrintCell} from '../table/lay-out.ts'
import {type PackedLine, unpackLine} from '../table/packed-line.ts'
import {type Paint, paintWith} from '../table/paint.ts'
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
  const collected = await collectLines(view, shape, events, style)
  if (collected.pods === 0) note(view.nothing)
  if (collected.lines.length > 0) {
    const columns = sizeColumns(shape.columns, collected, style.headers)
    // Who asks for everything gets it, however long the lines.
    const fit = fitWidth(columns, style.wide ? undefined : style.width)
    if (fit.lost.length > 0) note(`The terminal is too narrow for ${fit.lost.join(', ')}: see --output wide`)
    const rows = printRows(collected.lines, fit, style)
    const widths = fit.columns.map(({width}) => width)
    yield* layOut(rows, widths, fit.gap)
  }
  noteHidden(collected, note)
}

function sizeColumns(
  columns: readonly ColumnHead[],
  {lines, several}: CollectedLines,
  headers: boolean,
): readonly SizedColumn[] {
  const widest = columns.map(() => 0)
  for (const line of lines) {
    for (const [index, {text, spills}] of unpackLine(line).entries()) {
      if (spills !== true) widest[index] = Math.max(widest[index] ?? 0, stringWidth(text))
    }
  }
  return columns
    .map((column, index) => ({...column, index, widest: widest[index] ?? 0, head: headers ? column.header : ''}))
    .filter(({ifSeveral, index}) => ifSeveral !== true || several.has(index))
}

function* printRows(
  lines: readonly PackedLine[],
  fit: Fit,
  {headers, colour, wide, width: limit}: TableStyle,
): Generator<readonly PrintCell[]> {
  const paint = paintWith(colour)
  const spillLimit = wide || limit === undefined ? Number.POSITIVE_INFINITY : limit
  if (headers) yield* headRows(fit, paint)
  for (const line of lines) {
    const row: PrintCell[] = []
    let start = 0
    for (const [cell, {width, cut}] of visibleCells(unpackLine(line), fit)) {
      const room = cell.spills === true ? Math.max(spillLimit - start, width) : width
      const text = cut === undefined ? cell.text : cutText(cell.text, room, cut)
      row.push({text, painted: paint(text, cell.tone), spills: cell.spills === true})
      start += width + fit.gap
    }
    yield row
  }
}

function visibleCells(cells: readonly Cell[], {columns}: Fit): readonly (readonly [Cell, Fit['columns'][number]])[] {
  return columns.flatMap((column) => {
    const cell = cells[column.index]
    return cell === undefined ? [] : [[cell, column] as const]
  })
}

function headRows({columns, areHeadsWrapped}: Fit, paint: Paint): readonly (readonly PrintCell[])[] {
  const heads = columns.map(({head}) => (areHeadsWrapped ? head.split(' ') : [head]))
  const height = Math.max(...heads.map(({length}) => length))
  return Array.from({length: height}, (_, line) =>
    heads.map((words) => {
      const text = words[line] ?? ''
      return {text, painted: paint(text, 'head')}
    }),
  )
}

function noteHidden({hidden}: CollectedLines, note: Note): void {
  if (hidden.lines === 0) return
  const lines = `${hidden.lines.toLocaleString('en-US')} ${hidden.lines === 1 ? 'row' : 'rows'}`
  const pods = `${hidden.pods.toLocaleString('en-US')} ${hidden.pods === 1 ? 'pod' : 'pods'}`
  note(`Not shown: ${lines} without a problem, of ${pods}; --show all shows them`)
}
