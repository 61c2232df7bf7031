import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {documentHead, documentTail} from '../document.ts'
import {escapeJson} from '../escape-text.ts'
import type {RenderStyle} from '../style.ts'
import type {Fields, View} from '../view.ts'

/** One JSON document, an item at a time: nothing is held but counts. */
export async function* renderJson<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const tail = documentTail(view, style)
  const head = `{\n${membersText(documentHead(view, style))},\n  "items": [`
  let isBegun = false
  let separator = '\n'
  for await (const event of events) {
    tail.take(event)
    // Only now: a run that has no access at all gives no document.
    if (!isBegun) yield head
    isBegun = true
    if (event.type !== 'item') continue
    yield `${separator}    ${indent(jsonText(view.wire(event.item, style)), '    ')}`
    separator = ',\n'
  }
  const isEmpty = separator === '\n'
  yield `${isBegun ? '' : head}${isEmpty ? '' : '\n  '}],\n${membersText(tail.fields())}\n}\n`
}

function membersText(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${indent(jsonText(value), '  ')}`)
    .join(',\n')
}

function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value, undefined, 2))
}

/** Line breaks stand only between tokens: within texts JSON escapes them. */
function indent(text: string, margin: string): string {
  return text.replaceAll('\n', `\n${margin}`)
}
