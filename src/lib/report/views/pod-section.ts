import type {PodItem, SideReport} from '../../domain/report.ts'
import {podKey} from '../../domain/pod.ts'
import type {Cell, Section} from '../view.ts'
import {textWithoutRows, toneOf} from './pod-columns.ts'

/** What a page says of its pod before all else: which it is, its verdict, and who answered for each side. */
export function podSection(item: PodItem & {readonly rows: readonly unknown[]}): Section {
  const {pod, agent, sides, verdict} = item
  const without = item.rows.length === 0 ? (textWithoutRows(item) ?? 'no secrets') : undefined
  return {
    head: {text: podKey(pod)},
    fields: [
      {
        label: 'kind',
        cells: [{text: agent === undefined ? 'no agent' : `${agent.kind}, container ${agent.container}`}],
      },
      ...(pod.node === undefined ? [] : [{label: 'node', cells: [{text: pod.node}]}]),
      {label: 'agent', cells: [sideCell(sides.agent)]},
      {label: 'proxy', cells: [sideCell(sides.proxy)]},
      {label: 'verdict', cells: [{text: verdict, ...toneOf(verdict)}]},
      ...(without === undefined ? [] : [{label: 'secrets', cells: [{text: without, ...toneOf(verdict)}]}]),
      ...(item.findings.length === 0
        ? []
        : [
            {
              label: 'findings',
              cells: item.findings.map(({message, severity}): Cell => ({text: message, ...toneOf(severity)})),
            },
          ]),
    ],
  }
}

function sideCell({state, answers}: SideReport): Cell {
  const by = answers.map(({source, route}) => `${source} by ${route}`).join(', ')
  const text = by === '' ? state : `${state}: ${by}`
  return {text, ...(state === 'failed' || state === 'partial' ? {tone: 'warn'} : {})}
}
