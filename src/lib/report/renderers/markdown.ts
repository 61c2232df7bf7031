import {countOf} from '../../domain/count-text.ts'
import {podKey} from '../../domain/pod.ts'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import {summarise} from '../summary.ts'
import type {View} from '../view.ts'
import {type SameFinding, SameFindings} from './same-findings.ts'

/** Rows of a table: GitHub takes a megabyte for a step's summary, and nobody reads more. */
const MAX_ROWS = 200

/** A page in markdown: the count of pods, and a table of what was found, worst first, the same on many pods once. */
export async function* renderMarkdown<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
): AsyncGenerator<string> {
  const found = new SameFindings()
  const unseen: string[] = []
  let unseenPods = 0
  let stopped: string | undefined
  const summary = summarise(view)
  for await (const event of events) {
    summary.take(event)
    if (event.type === 'item') {
      const place = podKey(event.item.pod)
      found.take(event.item.findings, () => place)
      if (event.item.incomplete) {
        unseenPods += 1
        if (unseen.length < MAX_ROWS)
          unseen.push(row([place, event.item.failures[0]?.message ?? 'not all could be seen']))
      }
    }
    if (event.type === 'fleet') found.take(event.findings, ({subject = 'fleet'}) => subject)
    if (event.type === 'stopped') stopped = event.message
  }
  yield `## agentctl ${view.kind}\n\n${inline(summary.line())}\n`
  if (stopped !== undefined) yield `\n**Stopped early:** ${inline(stopped)}\n`
  yield* findingTable(found)
  if (unseenPods === 0) return
  yield `\n### Not seen whole: ${countOf(unseenPods, 'pod')}\n\n${row(['pod', 'why'])}${row(['---', '---'])}${unseen.join('')}`
}

function* findingTable(found: SameFindings): Generator<string> {
  const all = found.all()
  if (all.length === 0) return
  yield `\n${row(['result', 'rule', 'where', 'what', 'what to do'])}${row(['---', '---', '---', '---', '---'])}`
  for (const one of all.slice(0, MAX_ROWS)) yield findingRow(one)
  const rest = Math.max(all.length - MAX_ROWS, 0) + found.untold
  if (rest > 0) yield `\n${countOf(rest, 'more finding')} stand in the report.\n`
}

function findingRow({finding, text, first, places}: SameFinding): string {
  const {rule, severity, hint = '', accepted} = finding
  const where = places === 1 ? first : `${first} and ${countOf(places - 1, 'more pod')}`
  const sign = accepted === undefined ? severity : 'accepted'
  const why = accepted === undefined ? '' : ` (until ${accepted.until}: ${accepted.reason})`
  return row([sign, rule, where, `${text}${why}`, hint])
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell === '---' ? cell : inline(cell))).join(' | ')} |\n`
}

/** Foreign text as text: no markup, no table, no HTML comes of it. */
function inline(text: string): string {
  return escapeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]#|~!]/g, String.raw`\$&`)
}
