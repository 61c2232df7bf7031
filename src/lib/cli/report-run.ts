import type {PodItem, ReportEvent} from '../domain/report.ts'
import {broadcast} from '../report/broadcast.ts'
import type {OutputFormat} from '../report/output-format.ts'
import {render} from '../report/render.ts'
import type {RenderStyle} from '../report/style.ts'
import {summarise} from '../report/summary.ts'
import type {View} from '../report/view.ts'
import type {Io} from './io.ts'
import {coverageLines} from './coverage-notes.ts'
import {FailureNotes} from './failure-notes.ts'
import {ItemNotes} from './item-notes.ts'
import {EXIT_CODES} from './exit-codes.ts'
import {isUnwritable, type PendingFile} from './output-files.ts'
import {printable} from './printable.ts'
import {count, EMPTY_TALLY, type ExitPolicy, exitCodeOf, type Tally} from './tally.ts'
import {writeAll} from './write.ts'

/** How one run is told, and what its end stands for. */
export interface Reporting<Item extends PodItem> {
  readonly view: View<Item>
  readonly format: OutputFormat
  /** Written beside stdout. */
  readonly files: readonly PendingFile[]
  readonly style: RenderStyle
  readonly policy: ExitPolicy
  readonly quiet: boolean
  readonly verbosity: number
  /** What is still to be said once all is told. */
  readonly remarks: () => readonly string[]
  /** The command line that goes on with a cursor, as the user would type it. */
  readonly resume: (cursor: string) => string
}

/** Folds the events three times, each fold for itself: text to stdout, notes to stderr, and the exit code it gives. */
export async function reportRun<Item extends PodItem>(
  events: AsyncIterable<ReportEvent<Item>>,
  reporting: Reporting<Item>,
  io: Io,
): Promise<number> {
  const {files, view, style} = reporting
  const [forText, forNotes, ...forFiles] = broadcast(events, 2 + files.length)
  if (forText === undefined || forNotes === undefined) throw new Error('Two readers were asked for')
  const rendererNotes: string[] = []
  const note = (text: string): void => void rendererNotes.push(text)
  const text = render(reporting.format, view, forText, style, note)
  const lost: string[] = []
  const [{tally, warnings, notes, summary}] = await settleAll(
    takeNotes(forNotes, reporting, io),
    writeAll(io.stdout, text),
    ...files.flatMap((file, index) => {
      const reader = forFiles[index]
      return reader === undefined ? [] : [writeFile(file, view, reader, style, lost)]
    }),
  )
  const shown = reporting.quiet
    ? warnings
    : [...rendererNotes, ...warnings, ...notes, ...reporting.remarks(), ...summary]
  for (const line of [...shown, ...lost]) io.stderr.write(`${printable(line)}\n`)
  const code = exitCodeOf(tally, reporting.policy)
  // What was asked for is not there, so that it is not all well; what was found stays what it is.
  return lost.length > 0 && code === EXIT_CODES.ok.code ? EXIT_CODES.incomplete.code : code
}

/** What is said on stderr once the text is out. */
interface Notes {
  readonly tally: Tally
  /** Said with `--quiet` too. */
  readonly warnings: readonly string[]
  readonly notes: readonly string[]
  readonly summary: readonly string[]
}

/** All to their end, whichever fails: text that was begun is finished before an error is told. */
async function settleAll<T>(first: Promise<T>, ...others: readonly Promise<void>[]): Promise<[T]> {
  const [one, ...rest] = await Promise.allSettled([first, ...others])
  if (one.status === 'rejected') throw one.reason
  for (const other of rest) if (other.status === 'rejected') throw other.reason
  return [one.value]
}

/**
 * As a file nobody's terminal cuts it, and nobody's colours are in it. Where it cannot be written to its end, `lost` is
 * told: the other readers go on.
 */
async function writeFile<Item extends PodItem>(
  file: PendingFile,
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
  lost: string[],
): Promise<void> {
  const {width: _width, ...rest} = style
  const plain = {...rest, colour: false}
  try {
    for await (const text of render(file.file.format, view, events, plain, () => undefined)) await file.write(text)
    await file.keep()
  } catch (error) {
    if (!isUnwritable(error)) throw error
    lost.push(`Error: ${error.message}`)
  }
}

async function takeNotes<Item extends PodItem>(
  events: AsyncIterable<ReportEvent<Item>>,
  {view, verbosity, resume}: Reporting<Item>,
  io: Io,
): Promise<Notes> {
  const summary = summarise(view)
  const itemNotes = new ItemNotes(view.tellsFindings !== true)
  const gaps = new FailureNotes('Warning')
  const madeUpFor = new FailureNotes('Note')
  const warnings: string[] = []
  let tally = EMPTY_TALLY
  let cursor: string | undefined
  let coverage: readonly string[] = []
  let isConsistent = true
  for await (const event of events) {
    tally = count(tally, event)
    summary.take(event)
    if (event.type === 'item') {
      itemNotes.take(event.item)
      // What another source made up for, and what was not asked for, is no gap in the answer.
      const failures = event.item.incomplete ? gaps : madeUpFor
      failures.take(event.item)
    }
    if (event.type === 'item' && verbosity > 0) io.stderr.write(`${printable(traceOf(event.item))}\n`)
    if (event.type === 'fleet' && event.check !== undefined) coverage = coverageLines(event.check)
    if (event.type === 'page' || event.type === 'stopped') ({cursor} = event)
    if (event.type === 'page') isConsistent &&= event.consistent
    if (event.type === 'stopped') {
      warnings.push(`Stopped early: ${event.message}`)
      if (event.hint !== undefined) warnings.push(`Hint: ${event.hint}`)
    }
  }
  if (!isConsistent) warnings.push('The list expired on the way: later pods are of a newer moment than earlier ones')
  return {
    tally,
    // The cursor is what --limit was given for: it is told with --quiet too.
    warnings: [...gaps.lines(), ...warnings, ...(cursor === undefined ? [] : [`Next: ${resume(cursor)}`])],
    notes: [...itemNotes.lines(), ...madeUpFor.lines(), ...coverage],
    summary: tally.pods === 0 ? [] : [summary.line()],
  }
}

/** What was asked of a pod, and what came back, in one line. */
function traceOf({pod, agent, sides, failures, verdict}: PodItem): string {
  const answers = [...sides.agent.answers, ...sides.proxy.answers].map(({source, route}) => `${source} by ${route}`)
  const problems = failures.map(({source, code, message}) => `${source ?? 'pod'} ${code}: ${message}`)
  const kind = agent === undefined ? 'no agent' : `${agent.kind} (${agent.because})`
  return `${pod.namespace}/${pod.name}: ${kind}: ${[verdict, ...answers, ...problems].join('; ')}`
}
