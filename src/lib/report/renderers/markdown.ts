import {countOf} from '../../domain/count-text.ts'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import type {View} from '../view.ts'
import {gatherReport} from './gather-report.ts'
import {type SameFinding, type SameFindings, whereText} from './same-findings.ts'

/** Rows of a table: GitHub takes a megabyte for a step's summary, and nobody reads more. */
const MAX_ROWS = 200

/** A page in markdown: the count of pods, and a table of what was found, worst first, the same on many pods once. */
export async function* renderMarkdown<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
): AsyncGenerator<string> {
  const {found, unseen, unseenPods, stopped, summary} = await gatherReport(view, events, MAX_ROWS)
  yield `## agentctl ${view.kind}\n\n${inline(summary)}\n`
  if (stopped !== undefined) yield `\n**Stopped early:** ${inline(stopped)}\n`
  yield* findingTable(found)
  if (unseenPods === 0) return
  yield `\n### Not seen whole: ${countOf(unseenPods, 'pod')}\n\n${row(['pod', 'why'])}${row(['---', '---'])}${unseen.map(({pod, why}) => row([pod, why])).join('')}`
}

function* findingTable(found: SameFindings): Generator<string> {
  const all = found.all()
  if (all.length === 0) return
  yield `\n${row(['result', 'rule', 'where', 'what', 'what to do'])}${row(['---', '---', '---', '---', '---'])}`
  for (const one of all.slice(0, MAX_ROWS)) yield findingRow(one)
  const rest = Math.max(all.length - MAX_ROWS, 0) + found.untold
  if (rest > 0) yield `\n${countOf(rest, 'more finding')} stand in the report.\n`
}

function findingRow(same: SameFinding): string {
  const {finding, text} = same
  const {rule, severity, hint = '', accepted} = finding
  const sign = accepted === undefined ? severity : 'accepted'
  const why = accepted === undefined ? '' : ` (until ${accepted.until}: ${accepted.reason})`
  return row([sign, rule, whereText(same), `${text}${why}`, hint])
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
