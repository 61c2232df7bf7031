import type {AdminEndpoint} from '../../domain/agent.ts'
import {readyText, statusText} from '../../domain/pod-status.ts'
import type {AgentItem, Verdict} from '../../domain/report.ts'
import {durationText} from '../time-text.ts'
import type {Cell, Outcome, View} from '../view.ts'
import {isReady, writeAgent} from '../wire/write-agent.ts'
import {type Column, contextColumn, podColumn, textWithoutRows, type Told, tableShape, toneOf} from './pod-columns.ts'

interface AgentLine extends Told {
  readonly item: AgentItem
  readonly nowMs: number
}

const columns: readonly Column<AgentLine>[] = [
  contextColumn,
  {header: 'NAMESPACE', cut: 'middle', cell: ({item}) => ({text: item.pod.namespace})},
  podColumn,
  {header: 'AGENT', cut: 'end', cell: (line) => agentCell(line)},
  {header: 'READY', cell: (line) => readyCell(line)},
  {header: 'VERSION', cell: ({item}) => ({text: item.agent?.version ?? ''})},
  {header: 'REVISION', loseAs: 1, cell: ({item}) => ({text: item.agent?.revision ?? ''})},
  {header: 'NODE', loseAs: 2, cut: 'middle', cell: ({item}) => ({text: item.pod.node ?? ''})},
  {header: 'AGE', cell: ({item, nowMs}) => ({text: ageText(item.pod.createdAt, nowMs)})},
  {header: 'IP', wide: true, cell: ({item}) => ({text: item.pod.ips.join(',')})},
  {header: 'STATUS', wide: true, cell: ({item}) => ({text: statusText(item.pod, containerOf(item))})},
  {header: 'CONTAINER', wide: true, cell: ({item}) => ({text: containerOf(item) ?? ''})},
  {
    header: 'ADMIN PORT',
    wide: true,
    cell: ({item}) => ({text: item.agent === undefined ? '' : adminText(item.agent.admin)}),
  },
]

/** `agents list`: which agents there are. */
export const agentListView: View = {
  kind: 'AgentList',
  itemKind: 'Agent',
  nothing: 'No agents found',
  table: ({wide, nowMs}) =>
    tableShape(columns, wide, (item: AgentItem) => [{item, nowMs, row: 0, verdict: verdictOf(item)}]),
  wire: writeAgent,
  rows: (item, options) => [writeAgent(item, options)],
  outcomes: ['ready', 'not ready', 'unknown', 'skipped'],
  outcome,
}

/** No container of a captured pod is an agent. */
function containerOf({agent}: AgentItem): string | undefined {
  return agent?.capturedAs === undefined ? agent?.container : undefined
}

function agentCell({item, verdict}: AgentLine): Cell {
  if (item.agent === undefined) return {text: textWithoutRows(item) ?? '', ...toneOf(verdict), spills: true}
  return {text: item.agent.kind, ...(verdict === 'pass' ? {} : toneOf(verdict))}
}

/** Of the pod, as kubectl's; coloured by the agent's own container. */
function readyCell({item, verdict}: AgentLine): Cell {
  return {text: readyText(item.pod), ...(isReady(item) ? {} : toneOf(verdict))}
}

function verdictOf(item: AgentItem): Verdict {
  return item.verdict === 'pass' && !isReady(item) ? 'warn' : item.verdict
}

function outcome(item: AgentItem): Outcome {
  if (item.verdict === 'skipped' || item.verdict === 'unknown') return {label: item.verdict}
  return {label: isReady(item) ? 'ready' : 'not ready'}
}

function ageText(createdAt: string | undefined, nowMs: number): string {
  const ms = Date.parse(createdAt ?? '')
  return Number.isNaN(ms) ? '' : durationText(Math.max(0, Math.floor((nowMs - ms) / 1000)))
}

function adminText(admin: AdminEndpoint): string {
  if (admin.type === 'port') return String(admin.port)
  return admin.type === 'socket' ? admin.path : 'off'
}
