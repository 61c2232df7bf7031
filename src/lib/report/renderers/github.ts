import {countOf} from '../../domain/count-text.ts'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {escapeText} from '../escape-text.ts'
import type {View} from '../view.ts'
import {gatherReport} from './gather-report.ts'
import {type SameFinding, whereText} from './same-findings.ts'

/** Annotations of one kind that GitHub shows of a step. */
const SHOWN = 10

/**
 * Workflow commands of GitHub Actions: an annotation for each finding, the same one on several pods told once. GitHub
 * shows ten errors and ten warnings of a step: where there are more, the tenth says how many.
 */
export async function* renderGithub<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
): AsyncGenerator<string> {
  const {found, unseen, unseenPods, stopped, summary} = await gatherReport(view, events, SHOWN)
  const all = found.all().filter(({finding}) => finding.accepted === undefined)
  // What is not of a rule is one of the ten as well.
  if (stopped !== undefined) yield command('error', 'agentctl: stopped early', stopped)
  yield* annotations(
    'error',
    all.filter(({finding}) => finding.severity === 'fail'),
    {untold: found.untold, room: SHOWN - Number(stopped !== undefined)},
  )
  yield* annotations(
    'warning',
    all.filter(({finding}) => finding.severity === 'warn'),
    {untold: 0, room: SHOWN - Number(unseenPods > 0)},
  )
  if (unseenPods > 0) {
    const told = unseen.map(({pod, why}) => `${pod}: ${why}`)
    const text = [...told, ...(unseenPods > unseen.length ? ['…'] : [])].join('\n')
    yield command('warning', `agentctl: ${countOf(unseenPods, 'pod')} not seen whole`, text)
  }
  yield command('notice', 'agentctl', summary)
}

function* annotations(
  kind: 'error' | 'warning',
  all: readonly SameFinding[],
  {untold, room}: {readonly untold: number; readonly room: number},
): Generator<string> {
  const shown = all.length + Math.min(untold, 1) > room ? all.slice(0, room - 1) : all
  for (const one of shown) {
    const {finding, text} = one
    const hint = finding.hint === undefined ? '' : `\n${finding.hint}`
    yield command(kind, `${finding.rule}: ${whereText(one)}`, `${text}${hint}`)
  }
  const rest = all.length - shown.length + untold
  if (rest > 0) yield command(kind, 'agentctl', `${countOf(rest, 'more finding')}: see the report`)
}

/** A line that is a command and nothing else: foreign text in it cannot begin another one. */
function command(kind: 'error' | 'warning' | 'notice', title: string, text: string): string {
  const lines = text.split('\n').map(escapeText).join('\n')
  return `::${kind} title=${escapeProperty(escapeText(title))}::${escapeData(lines)}\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
