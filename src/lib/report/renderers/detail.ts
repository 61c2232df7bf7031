import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import type {Note, RenderStyle} from '../style.ts'
import {type Paint, paintWith} from '../table/paint.ts'
import {wrapText} from '../table/wrap-text.ts'
import type {Field, Section, View} from '../view.ts'

const MARGIN = '  '

/** Blanks between the labels and what they tell. */
const GAP = 2

/** Characters of a line below which labels take a line of their own. */
const NARROW = 40

interface DetailStyle extends RenderStyle {
  /** No line is broken, however long it is. */
  readonly wide: boolean
}

/** Pages of text for people: labels and what they tell, wrapped where the terminal ends. Nothing is cut. */
export async function* renderDetail<Item extends PodItem>(
  view: View<Item> & {readonly detail: (item: Item) => readonly Section[]},
  events: AsyncIterable<ReportEvent<Item>>,
  {wide, width, colour}: DetailStyle,
  note: Note,
): AsyncGenerator<string> {
  const limit = wide || width === undefined ? Number.POSITIVE_INFINITY : width
  const paint = paintWith(colour)
  let isEmpty = true
  for await (const event of events) {
    if (event.type !== 'item') continue
    const sections = view.detail(event.item)
    const labels = sections.flatMap(({fields}) => fields.map(({label}) => label.length))
    const room = Math.max(0, ...labels) + GAP
    const texts = sections.map((section) => sectionText(section, room, limit, paint))
    yield `${isEmpty ? '' : '\n'}${texts.join('\n')}`
    isEmpty = false
  }
  if (isEmpty) note(view.nothing)
}

function sectionText({head, fields}: Section, room: number, limit: number, paint: Paint): string {
  const heads = head === undefined ? [] : wrapText(escapeText(head.text), limit).map((line) => paint(line, 'head'))
  const lines = [...heads, ...fields.flatMap((field) => fieldLines(field, room, limit, paint))]
  return lines.map((line) => `${line}\n`).join('')
}

function fieldLines({label, cells}: Field, room: number, limit: number, paint: Paint): readonly string[] {
  const isNarrow = limit < NARROW
  const indent = isNarrow ? MARGIN.length * 2 : MARGIN.length + room
  const texts = cells.flatMap(({text, tone}) =>
    wrapText(escapeText(text), Math.max(1, limit - indent)).map((line) => paint(line, tone)),
  )
  if (isNarrow) return [MARGIN + label, ...texts.map((text) => ' '.repeat(indent) + text)]
  return texts.map((text, index) => MARGIN + (index === 0 ? label : '').padEnd(room) + text)
}
