import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {documentHead, documentTail} from '../document.ts'
import {evaluatePath} from '../jsonpath/evaluate-path.ts'
import type {JsonPath} from '../jsonpath/json-path.ts'
import {expandTemplate, nodeLooksAtRoot, type TemplateNode} from '../jsonpath/template.ts'
import {valueText} from '../jsonpath/value-text.ts'
import type {RenderStyle} from '../style.ts'
import type {Fields, View} from '../view.ts'

/**
 * A template over the whole document. Where it goes through the items once, and needs nothing of the document's end
 * before, they are let go as they are written; else the whole document is held.
 */
export async function* renderJsonPath<Item extends PodItem>(
  template: readonly TemplateNode[],
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const tail = documentTail(view, style)
  const head = documentHead(view, style)
  const split = splitAtItems(template)
  const items: Fields[] = []
  let isBegun = false
  let separator = ''
  for await (const event of events) {
    tail.take(event)
    if (event.type !== 'item') continue
    const item = view.wire(event.item, style)
    if (split === undefined) {
      items.push(item)
      continue
    }
    if (!isBegun) yield expandTemplate(split.before, head, head)
    isBegun = true
    for (const text of expandOverItem(split.over, item)) {
      yield separator + text
      separator = split.over.type === 'path' ? ' ' : ''
    }
  }
  const document = {...head, items, ...tail.fields()}
  const rest = split === undefined ? template : [...(isBegun ? [] : split.before), ...split.after]
  yield expandTemplate(rest, document, document)
}

/** What the item alone adds to a node that goes through all items. */
function expandOverItem(over: TemplateNode, item: Fields): readonly string[] {
  const document = {items: [item]}
  if (over.type === 'path') return evaluatePath(over.path, document, document).map(valueText)
  return [expandTemplate([over], document, document)]
}

interface Split {
  readonly before: readonly TemplateNode[]
  readonly over: TemplateNode
  readonly after: readonly TemplateNode[]
}

/** The one node that goes through the items one by one, with those before and after; undefined where none can. */
function splitAtItems(template: readonly TemplateNode[]): Split | undefined {
  const index = template.findIndex((node) => goesThroughItems(node))
  const over = template[index]
  if (over === undefined || nodeLooksAtRoot(over)) return undefined
  const before = template.slice(0, index)
  const after = template.slice(index + 1)
  const areFree =
    before.every((node) => looksOnlyAt(node, (field) => ['apiVersion', 'kind', 'metadata'].includes(field))) &&
    after.every((node) => looksOnlyAt(node, (field) => field !== 'items'))
  return areFree ? {before, over, after} : undefined
}

function goesThroughItems(node: TemplateNode): boolean {
  const [first, second] = pathOf(node)?.steps ?? []
  return first?.type === 'field' && first.name === 'items' && (second?.type === 'wildcard' || second?.type === 'filter')
}

function looksOnlyAt(node: TemplateNode, isFree: (field: string) => boolean): boolean {
  if (node.type === 'text') return true
  if (nodeLooksAtRoot(node)) return false
  const first = pathOf(node)?.steps[0]
  return first?.type === 'field' && isFree(first.name)
}

function pathOf(node: TemplateNode): JsonPath | undefined {
  if (node.type === 'text') return undefined
  return node.type === 'path' ? node.path : node.over
}
