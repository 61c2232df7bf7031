import {dump, SCALAR_STYLE_DOUBLE_QUOTED, visit} from 'js-yaml'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {documentHead, documentTail} from '../document.ts'
import {escapeYaml, hasUnseen} from '../escape-text.ts'
import type {RenderStyle} from '../style.ts'
import type {View} from '../view.ts'

/** The document of `json` as YAML, an item at a time. */
export async function* renderYaml<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const tail = documentTail(view, style)
  const head = yamlText(documentHead(view, style))
  let isBegun = false
  let isEmpty = true
  for await (const event of events) {
    tail.take(event)
    if (!isBegun) yield head
    isBegun = true
    if (event.type !== 'item') continue
    yield `${isEmpty ? 'items:\n' : ''}${yamlText([view.wire(event.item, style)])}`
    isEmpty = false
  }
  yield `${isBegun ? '' : head}${isEmpty ? 'items: []\n' : ''}${yamlText(tail.fields())}`
}

/** A value as YAML: text of several lines stays readable, and what cannot be seen is escaped. */
export function yamlText(value: unknown): string {
  const text = dump(value, {
    lineWidth: -1,
    noRefs: true,
    transform: (documents) =>
      visit(documents, (node) => {
        // What cannot be seen is escaped, which only double quotes allow; text of several lines stays readable.
        const isHidden = node.kind === 'scalar' && hasUnseen(node.value.replaceAll('\n', ''))
        if (isHidden) node.style = SCALAR_STYLE_DOUBLE_QUOTED
      }),
  })
  return escapeYaml(text)
}
