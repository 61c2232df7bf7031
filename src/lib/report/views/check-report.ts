import {acceptedText} from '../accepted-text.ts'
import {countOf} from '../../domain/count-text.ts'
import {ownerText} from '../../domain/owner.ts'
import type {Finding} from '../../domain/finding.ts'
import type {RuleInfo} from '../../domain/rule.ts'
import type {CheckItem, FleetReport} from '../../domain/report.ts'
import type {Cell, View} from '../view.ts'
import {writeFinding} from '../wire/write-pod-item.ts'
import {writeCheck, writeCheckFleet} from '../wire/write-check.ts'
import {checkMetrics} from './check-metrics.ts'
import {
  type Column,
  contextColumn,
  type Fold,
  namespaceColumn,
  podColumn,
  tableShape,
  type Told,
  toneOf,
} from './pod-columns.ts'

interface CheckLine extends Told {
  /** Absent for what is said of a node or the fleet. */
  readonly item?: CheckItem
  /** Absent where the pod itself is told of. */
  readonly finding?: Finding
  readonly wide: boolean
  /** Pods that the same was found of, where it is told once for all of them. */
  readonly pods?: number
}

const columns: readonly Column<CheckLine>[] = [
  {...contextColumn, cell: ({item}) => (item === undefined ? {text: ''} : contextColumn.cell({item}))},
  {...namespaceColumn, cell: ({item}) => (item === undefined ? {text: ''} : namespaceColumn.cell({item}))},
  {...podColumn, cell: (line) => ({text: placeOf(line)})},
  {header: 'RESULT', cell: (line) => resultCell(line)},
  {header: 'RULE', cell: ({finding}) => ({text: finding?.rule ?? ''})},
  {header: 'FINDING', cut: 'end', cell: (line) => findingCell(line)},
  {header: 'WHAT TO DO', wide: true, cell: ({finding}) => ({text: finding?.hint ?? ''})},
]

/** `check`: what does not hold, on which pod; `rules`: all that there are. */
export const checkReportView = (rules: readonly RuleInfo[]): View<CheckItem> => ({
  kind: 'CheckReport',
  itemKind: 'Check',
  tellsFindings: true,
  nothing: 'No pods with an agent found',
  table({wide}) {
    const ofPods = tableShape(columns, wide, (item: CheckItem) => linesOf(item, wide), foldOf)
    const ofFleet = tableShape(columns, wide, (fleet: FleetReport) => fleetLinesOf(fleet, wide))
    return {...ofPods, sumsUpWell: true, fleetLines: (fleet) => ofFleet.lines(fleet)}
  },
  wire: writeCheck,
  rows: (item, options) => {
    const {findings = [], ...pod} = writeCheck(item, options)
    return findings.length === 0 ? [pod] : findings.map((finding) => ({...pod, ...finding}))
  },
  fleet: {
    remarks: () => [],
    wire: writeCheckFleet,
    rows: ({findings}) => findings.map(writeFinding),
  },
  outcomes: ['pass', 'warn', 'fail', 'unknown', 'skipped'],
  outcome: ({verdict}) => ({label: verdict}),
  rules: {
    all: rules,
    outcomes: ({outcomes}) => outcomes,
    fleetOutcomes: ({check}) => check?.outcomes ?? [],
  },
  metrics: checkMetrics,
})

function linesOf(item: CheckItem, wide: boolean): readonly CheckLine[] {
  const {findings, verdict, incomplete} = item
  const found = findings.map((finding, row): CheckLine => ({item, finding, wide, ...standingOf(finding), row}))
  const isTold = found.length > 0 && !incomplete
  return isTold ? found : [...found, {item, wide, verdict: incomplete ? 'unknown' : verdict, row: 0}]
}

/** The same rule, on the same thing, in pods of one owner. */
function foldOf(line: CheckLine): Fold<CheckLine> | undefined {
  const {item, finding} = line
  const owner = item === undefined ? undefined : ownerText(item.pod)
  if (item === undefined || finding === undefined || owner === undefined) return undefined
  const {context, namespace} = item.pod
  const {rule, severity, subject, accepted} = finding
  return {
    key: JSON.stringify([context, namespace, owner, rule, severity, subject, accepted]),
    told: (pods) => ({...line, pods}),
  }
}

function placeOf({item, finding, pods}: CheckLine): string {
  if (item === undefined) return finding?.subject ?? 'fleet'
  return pods === undefined ? item.pod.name : `${ownerText(item.pod) ?? ''}: ${countOf(pods, 'pod')}`
}

function fleetLinesOf({findings}: FleetReport, wide: boolean): readonly CheckLine[] {
  return findings.map((finding, row) => ({finding, wide, ...standingOf(finding), row}))
}

/** What is accepted is told, and is no problem. */
function standingOf({severity, accepted}: Finding): Pick<CheckLine, 'verdict' | 'always'> {
  return accepted === undefined ? {verdict: severity} : {verdict: 'pass', always: true}
}

function resultCell({finding, verdict}: CheckLine): Cell {
  if (finding?.accepted !== undefined) return {text: 'accepted', tone: 'dim'}
  return {text: verdict, ...toneOf(verdict)}
}

function findingCell({item, finding, verdict, pods, wide}: CheckLine): Cell {
  if (finding !== undefined) {
    const from = item === undefined || pods === undefined ? '' : `${item.pod.name}: `
    return {text: `${from}${wide ? finding.message : (finding.brief ?? finding.message)}${acceptedText(finding)}`}
  }
  if (item === undefined || verdict === 'pass') return {text: ''}
  const open = item.outcomes.find((one) => one.result === 'not-evaluated' && one.cause === 'failed')
  const failure = item.skipped?.message ?? item.failures[0]?.message
  return {text: failure ?? (open?.result === 'not-evaluated' ? `${open.rule}: ${open.reason}` : '')}
}
