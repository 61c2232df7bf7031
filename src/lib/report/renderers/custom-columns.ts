import stringWidth from 'string-width'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {evaluatePath} from '../jsonpath/evaluate-path.ts'
import {valueText} from '../jsonpath/value-text.ts'
import type {CustomColumn} from '../output-format.ts'
import type {Note, RenderStyle} from '../style.ts'
import {GAP} from '../table/fit-width.ts'
import {layOut, type PrintCell} from '../table/lay-out.ts'
import {printable} from '../table/packed-line.ts'
import {sortKeyOrder, type SortKey, sortKey} from '../table/sort-key.ts'
import type {Fields, View} from '../view.ts'

/** A column for each path, a line for each row with its pod's fields; in list order, and nothing is hidden or cut. */
export async function* renderCustomColumns<Item extends PodItem>(
  columns: readonly CustomColumn[],
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
  note: Note,
): AsyncGenerator<string> {
  const {sortBy} = style
  const lines: {readonly key: SortKey; readonly text: string}[] = []
  for await (const event of events) {
    const rows =
      event.type === 'item'
        ? view.rows(event.item, style)
        : event.type === 'fleet'
          ? view.fleet?.rows(event, style)
          : []
    for (const row of rows ?? []) {
      const texts = columns.map((column) => cellText(column, row))
      lines.push({key: sortBy === undefined ? undefined : sortKey(sortBy, row), text: texts.join('\n')})
    }
  }
  if (lines.length === 0) {
    note(view.nothing)
    return
  }

  const heads = columns.map(({header}) => printable(header))
  const order = sortBy === undefined ? undefined : sortKeyOrder()
  const sorted = order === undefined ? lines : lines.toSorted((a, b) => order(a.key, b.key))
  const rows = [...(style.headers ? [heads] : []), ...sorted.map(({text}) => text.split('\n'))]
  const widths = columns.map(() => 0)
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, stringWidth(text))
  }
  yield* layOut(rows.map(plainCells), widths, GAP)
}

function cellText({path}: CustomColumn, row: Fields): string {
  const values = evaluatePath(path, row, row)
  return values.length === 0 ? '<none>' : printable(values.map(valueText).join(','))
}

function plainCells(texts: readonly string[]): readonly PrintCell[] {
  return texts.map((text) => ({text, painted: text}))
}
