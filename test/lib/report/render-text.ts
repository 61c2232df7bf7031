import type {PodItem, ReportEvent} from '../../../src/lib/domain/report.ts'
import {parseOutputFormat} from '../../../src/lib/report/output-format.ts'
import {extraFormats, render} from '../../../src/lib/report/render.ts'
import type {RenderStyle} from '../../../src/lib/report/style.ts'
import type {View} from '../../../src/lib/report/view.ts'
import {STYLE} from './items.ts'

/** The whole text of a run in one format, and what was said beside it. */
export async function renderText<Item extends PodItem>(
  output: string,
  view: View<Item>,
  events: Iterable<ReportEvent<Item>>,
  changes: Partial<RenderStyle> = {},
): Promise<{readonly text: string; readonly notes: readonly string[]}> {
  const notes: string[] = []
  const style = {...STYLE, ...changes}
  const pieces = await Array.fromAsync(
    render(parseOutputFormat(output, extraFormats(view)), view, arrive(events), style, (note) => notes.push(note)),
  )
  return {text: pieces.join(''), notes}
}

async function* arrive<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}
