import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import type {Note} from '../style.ts'
import type {View} from '../view.ts'

/** A line for each pod, as TARGET reads it in any namespace: `pod/cart-1.shop`. */
export async function* renderName<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  note: Note,
): AsyncGenerator<string> {
  let isEmpty = true
  for await (const event of events) {
    if (event.type !== 'item') continue
    isEmpty = false
    yield `pod/${escapeText(event.item.pod.name)}.${escapeText(event.item.pod.namespace)}\n`
  }
  if (isEmpty) note(view.nothing)
}
