import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import type {RenderStyle} from '../style.ts'
import type {MetricSample, MetricsView} from '../view.ts'

/**
 * The text format of Prometheus. Samples of one name stand together there, so that they are held, as text, until the
 * last pod is in.
 */
export async function* renderProm<Item extends PodItem>(
  metrics: MetricsView<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const {families} = metrics
  const lines = new Map(Object.keys(families).map((name) => [name, new Map<string, number>()]))
  for await (const event of events) {
    const samples =
      event.type === 'item'
        ? metrics.ofItem(event.item, style)
        : event.type === 'fleet'
          ? metrics.ofFleet(event, style)
          : []
    // Of two with the same labels only one may be told: a secret that a proxy lists twice.
    for (const {name, labels, value} of samples) lines.get(name)?.set(labelsText(labels), value)
  }
  for (const [name, help] of Object.entries(families)) {
    const series = lines.get(name) ?? new Map<string, number>()
    if (series.size === 0) continue
    yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
    for (const [labels, value] of series) yield `${name}${labels} ${String(value)}\n`
  }
}

/** An empty value is as good as none. */
function labelsText(labels: MetricSample['labels']): string {
  const given = Object.entries(labels).filter(([, value]) => value !== '')
  return given.length === 0 ? '' : `{${given.map(([name, value]) => `${name}="${labelValue(value)}"`).join(',')}}`
}

function labelValue(value: string): string {
  return escapeText(value)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
}
