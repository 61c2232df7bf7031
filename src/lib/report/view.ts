import type {FleetReport, PodItem, Verdict} from '../domain/report.ts'
import type {RenderStyle} from './style.ts'
import type {ComparedBy} from '../domain/row.ts'
import type {RuleInfo, RuleOutcome} from '../domain/rule.ts'

/** What a colour says; without colour nothing is lost. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim'

/** Text of a table's cell, foreign and not yet escaped. Empty text is shown as `-`. */
export interface Cell {
  readonly text: string
  readonly tone?: Tone
  /** Stands in place of the rest of its line, and widens no column. */
  readonly spills?: boolean
}

/** `after-word` keeps the first word whole: `MISMATCH: proxy…`. */
export type Cut = 'middle' | 'end' | 'after-word'

/** What a table must know of a column before it has seen a line. */
export interface ColumnHead {
  readonly header: string
  /** Shown only where the lines hold more than one value (CONTEXT, NAMESPACE). */
  readonly ifSeveral?: boolean
  /** Order in which a terminal that is too narrow loses it; absent: never. */
  readonly loseAs?: number
  /** Lost only where wrapping the heads is not enough. */
  readonly loseAfterWrap?: boolean
  /** How a cell that is too long for a terminal is cut; absent: only where nothing else helps. */
  readonly cut?: Cut
  /** Cut before any other: what it loses is told by the rest of the line. */
  readonly cutFirst?: boolean
}

/** One line of a table. */
export interface Line {
  /** One for each column; those after one that spills count for nothing. */
  readonly cells: readonly Cell[]
  /** How bad it is. */
  readonly verdict: Verdict
  /** Whole seconds until something ends; absent where nothing does. */
  readonly secondsLeft?: number
  /** Index of the row that it tells of among `View.rows`. */
  readonly row: number
  /** Told even where it is no problem. */
  readonly always?: true
  /** The same may be said of many pods: lines of one key that are more than a few become one. */
  readonly fold?: {readonly key: string; cells(count: number): readonly Cell[]}
}

/** A table as one view shows it. */
export interface TableShape<Item> {
  readonly columns: readonly ColumnHead[]
  /** Lines of one pod, worst first; at least one, but where the table is of the fleet. */
  lines(item: Item): readonly Line[]
  /** Lines without a problem are counted, and shown only where all is asked for. */
  readonly sumsUpWell?: true
  /** Lines of what is said of all pods together, in the order in which they are shown. */
  readonly fleetLines?: (fleet: FleetReport) => readonly Line[]
}

/** Into what a run's pods are counted, and by what. */
export interface Outcome {
  readonly label: string
  /** `expiry`, `fingerprint`: by what the label was found. */
  readonly by?: string
}

/** One thing that is told of something, under its label; each cell begins a line of its own. */
export interface Field {
  readonly label: string
  readonly cells: readonly Cell[]
}

/** Fields below each other, in a page of text. */
export interface Section {
  /** Absent where the section goes on with what the one before it is about. */
  readonly head?: Cell
  readonly fields: readonly Field[]
}

/** A line below a table. */
export interface Remark {
  /** Stands before each line that it is broken into. */
  readonly sign: string
  /** Padded so that what follows stands below each other. */
  readonly label: string
  readonly text: string
  readonly tone?: Tone | 'head'
}

/** A JSON object, as it is written. */
export type Fields = Readonly<Record<string, unknown>>

export interface WireOptions {
  /** Contexts that are asked; where it is one, every item names it. */
  readonly contexts: readonly string[]
  /** With the PEM of certificates. */
  readonly cert: boolean
}

/** How the report on the fleet is seen, where it is more than findings. */
interface FleetView {
  /** Told below the table, in paragraphs; `wide` leaves nothing out. */
  remarks(fleet: FleetReport, options: {readonly wide: boolean}): readonly (readonly Remark[])[]
  /** What documents hold of it, beside `complete` and `findings`. */
  wire(fleet: FleetReport, options: WireOptions): Fields
  /** One for each of its lines. */
  rows(fleet: FleetReport, options: WireOptions): readonly Fields[]
}

/** How a view is seen by formats that tell of rules. */
export interface RulesView<Item> {
  /** All of them, in the order in which they are told. */
  readonly all: readonly RuleInfo[]
  /** What each says of an item; those that are not about its kind are left out. */
  outcomes(item: Item): readonly RuleOutcome[]
  /** What each on nodes and on the fleet says. */
  fleetOutcomes(fleet: FleetReport): readonly RuleOutcome[]
}

/** One sample of a metric. */
export interface MetricSample {
  readonly name: string
  /** Values are foreign and not yet escaped; an empty one is as good as none. */
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** How a view is seen as metrics, all of them gauges. */
export interface MetricsView<Item> {
  /** What each name stands for, in the order in which they are told. */
  readonly families: Readonly<Record<string, string>>
  ofItem(item: Item, style: RenderStyle): readonly MetricSample[]
  ofFleet(fleet: FleetReport, style: RenderStyle): readonly MetricSample[]
}

/** How one kind of item is seen; every renderer works from this alone. */
export interface View<Item extends PodItem = PodItem> {
  /** Kind of the whole document: `SecretDiffList`. */
  readonly kind: string
  /** Kind of one item on a line of its own: `SecretDiff`. */
  readonly itemKind: string
  /** Said where nothing is selected: `No agents found`. */
  readonly nothing: string
  table(options: {readonly wide: boolean; readonly nowMs: number}): TableShape<Item>
  /** Told of an item below the table, in paragraphs. */
  readonly remarks?: (item: Item) => readonly (readonly Remark[])[]
  readonly fleet?: FleetView
  /** Only of views whose formats tell of rules. */
  readonly rules?: RulesView<Item>
  /** Only of views that are seen as metrics. */
  readonly metrics?: MetricsView<Item>
  /** Its lines tell of every finding. */
  readonly tellsFindings?: true
  /** A page of text for each item, in place of the table. */
  readonly detail?: (item: Item) => readonly Section[]
  /** The certificates of the item as PEM, with comments between them. */
  readonly pem?: (item: Item) => string
  /** The item as documents hold it, field by field. */
  wire(item: Item, options: WireOptions): Fields
  /** Rows of an item, each joined with its pod's fields; at least one, but where the table is of the fleet. */
  rows(item: Item, options: WireOptions): readonly Fields[]
  /** Labels of `outcome` in the order of the summary line; the first is told even where it counts none. */
  readonly outcomes: readonly string[]
  outcome(item: Item): Outcome
  /** By what each row was compared; absent where nothing is compared. */
  readonly comparisons?: (item: Item) => readonly ComparedBy[]
}
