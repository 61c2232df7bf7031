import type {PodItem, ReportEvent} from '../domain/report.ts'
import type {ExtraFormat, OutputFormat} from './output-format.ts'
import {renderCustomColumns} from './renderers/custom-columns.ts'
import {renderDetail} from './renderers/detail.ts'
import {renderGithub} from './renderers/github.ts'
import {renderJson} from './renderers/json.ts'
import {renderJsonPath} from './renderers/jsonpath.ts'
import {renderJunit} from './renderers/junit.ts'
import {renderMarkdown} from './renderers/markdown.ts'
import {renderName} from './renderers/name.ts'
import {renderNdjson} from './renderers/ndjson.ts'
import {renderPem} from './renderers/pem.ts'
import {renderProm} from './renderers/prom.ts'
import {renderSarif} from './renderers/sarif.ts'
import {renderTable} from './renderers/table.ts'
import {renderYaml} from './renderers/yaml.ts'
import type {Note, RenderStyle} from './style.ts'
import type {View} from './view.ts'

/**
 * The text of a run in one format, in pieces as they come; `note` is called with what belongs on stderr. Where the
 * events throw before the first of them, so does this before any text.
 */
export function render<Item extends PodItem>(
  format: OutputFormat,
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
  note: Note,
): AsyncGenerator<string> {
  const {type} = format
  if (type === 'table' || type === 'wide') {
    const {detail} = view
    if (detail !== undefined) return renderDetail({...view, detail}, events, {...style, wide: type === 'wide'}, note)
    return renderTable(view, events, {...style, wide: type === 'wide'}, note)
  }
  if (type === 'json') return renderJson(view, events, style)
  if (type === 'yaml') return renderYaml(view, events, style)
  if (type === 'ndjson') return renderNdjson(view, events, style)
  if (type === 'name') return renderName(view, events, note)
  if (type === 'jsonpath') return renderJsonPath(format.template, view, events, style)
  if (type === 'pem') return renderPem(view, events, note)
  if (type === 'prom') return renderProm(offered(view.metrics), events, style)
  if (type === 'junit') return renderJunit(view, offered(view.rules), events, style)
  if (type === 'sarif') return renderSarif(offered(view.rules), events, style)
  if (type === 'github') return renderGithub(view, events)
  if (type === 'markdown') return renderMarkdown(view, events)
  return renderCustomColumns(format.columns, view, events, style, note)
}

/** What a format needs of a view. A command offers only formats that its view has, so that anything else is a bug. */
function offered<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('This view has no such format')
  return part
}

/** Formats of a view that not every view has. */
export function extraFormats<Item extends PodItem>({pem, rules, metrics}: View<Item>): readonly ExtraFormat[] {
  return [
    ...(pem === undefined ? [] : (['pem'] as const)),
    ...(rules === undefined ? [] : (['junit', 'sarif', 'github', 'markdown'] as const)),
    ...(metrics === undefined ? [] : (['prom'] as const)),
  ]
}
