import type {PodItem, Verdict} from '../../domain/report.ts'
import type {Cell, ColumnHead, Line, TableShape, Tone} from '../view.ts'

/** A column of lines that each tell of one `Subject`. */
export interface Column<Subject> extends ColumnHead {
  readonly cell: (subject: Subject) => Cell
  /** Only in `wide`. */
  readonly wide?: boolean
}

/** What each line tells of besides its cells. */
export interface Told {
  readonly verdict: Verdict
  readonly secondsLeft?: number | undefined
  readonly row: number
  /** Told even where it is no problem. */
  readonly always?: true
}

/** What many lines that say the same become. */
export interface Fold<Subject> {
  readonly key: string
  told(count: number): Subject
}

/** A table from columns, and from what an item's lines tell of; `foldOf`: what many of them may become. */
export function tableShape<Item, Subject extends Told>(
  all: readonly Column<Subject>[],
  wide: boolean,
  subjects: (item: Item) => readonly Subject[],
  foldOf: (subject: Subject) => Fold<Subject> | undefined = () => undefined,
): TableShape<Item> {
  const columns = all.filter((column) => wide || column.wide !== true)
  const cellsOf = (subject: Subject): readonly Cell[] => columns.map(({cell}) => cell(subject))
  return {
    columns,
    lines: (item) =>
      subjects(item).map((subject): Line => {
        const fold = wide ? undefined : foldOf(subject)
        return {
          cells: cellsOf(subject),
          verdict: subject.verdict,
          row: subject.row,
          ...(subject.always === true && {always: true}),
          ...(subject.secondsLeft === undefined ? {} : {secondsLeft: subject.secondsLeft}),
          ...(fold === undefined ? {} : {fold: {key: fold.key, cells: (count) => cellsOf(fold.told(count))}}),
        }
      }),
  }
}

interface OfPod {
  readonly item: PodItem
}

export const contextColumn: Column<OfPod> = {
  header: 'CONTEXT',
  ifSeveral: true,
  cut: 'middle',
  cell: ({item}) => ({text: item.pod.context ?? ''}),
}

export const namespaceColumn: Column<OfPod> = {
  header: 'NAMESPACE',
  ifSeveral: true,
  cut: 'middle',
  cell: ({item}) => ({text: item.pod.namespace}),
}

/** The pods of one owner differ in their last letters: a name is cut in its middle. */
export const podColumn: Column<OfPod> = {header: 'POD', cut: 'middle', cell: ({item}) => ({text: item.pod.name})}

const TONES: Readonly<Record<Verdict, Tone>> = {
  pass: 'good',
  skipped: 'dim',
  warn: 'warn',
  unknown: 'warn',
  fail: 'bad',
}

/** Tone of a cell that says how bad its line is. */
export function toneOf(verdict: Verdict): Pick<Cell, 'tone'> {
  return {tone: TONES[verdict]}
}

/** What a pod without rows says in their place: `SKIPPED: …`, `UNKNOWN: …`; undefined where it is neither. */
export function textWithoutRows(item: PodItem): string | undefined {
  if (item.verdict === 'skipped') return `SKIPPED: ${item.skipped?.message ?? 'not asked'}`
  const [first, ...more] = item.failures
  if (first === undefined) return item.verdict === 'unknown' ? 'UNKNOWN' : undefined
  const word = item.verdict === 'unknown' || item.incomplete ? 'UNKNOWN' : 'NOTHING'
  return `${word}: ${first.message}${more.length === 0 ? '' : ` (and ${more.length} more)`}`
}
