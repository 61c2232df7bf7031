import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {API_VERSION, documentTail} from '../document.ts'
import {dropAbsent} from '../drop-absent.ts'
import {escapeJson} from '../escape-text.ts'
import type {RenderStyle} from '../style.ts'
import type {View} from '../view.ts'

/** A line for each item, a `Page` line after each page, a `Summary` line last. */
export async function* renderNdjson<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const tail = documentTail(view, style)
  for await (const event of events) {
    tail.take(event)
    if (event.type === 'item') yield line(view.itemKind, view.wire(event.item, style))
    // A stop that can be resumed says from where, as a page does.
    const isPage = event.type === 'page' || (event.type === 'stopped' && event.cursor !== undefined)
    if (isPage) yield line('Page', tail.page())
  }
  yield line('Summary', dropAbsent({stopped: tail.stopped(), fleet: tail.fleet(), ...tail.summary.wire()}))
}

function line(kind: string, fields: object): string {
  return `${escapeJson(JSON.stringify({apiVersion: API_VERSION, kind, ...fields}))}\n`
}
