import {isDifference} from '../../domain/rank.ts'
import type {SecretDiffItem} from '../../domain/report.ts'
import type {ComparedBy, SecretDiffRow} from '../../domain/row.ts'
import type {Cell, Outcome, View, WireOptions} from '../view.ts'
import type {SecretDiffRowWire, SecretDiffWire} from '../wire/secret-diff.schema.ts'
import {writeDifference} from '../wire/write-difference.ts'
import {writePodItem} from '../wire/write-pod-item.ts'
import {writeSecret} from '../wire/write-secret.ts'
import {dropAbsent} from '../drop-absent.ts'
import {differenceRemarks} from './difference-remarks.ts'
import {joinRows} from './join-rows.ts'
import {
  type Column,
  contextColumn,
  namespaceColumn,
  podColumn,
  textWithoutRows,
  tableShape,
  toneOf,
} from './pod-columns.ts'
import {
  dateColumns,
  leftColumn,
  remarks,
  resourceNameColumn,
  typeColumn,
  validCertColumn,
  wideColumns,
} from './secret-columns.ts'
import {type SecretLine, secretLines} from './secret-lines.ts'

type DiffLine = SecretLine<SecretDiffRow>

/** From what proves most to what proves least. */
const STRENGTH: readonly ComparedBy[] = ['fingerprint', 'serial', 'expiry', 'presence', 'published', 'none']

const columns: readonly Column<DiffLine>[] = [
  contextColumn,
  namespaceColumn,
  podColumn,
  resourceNameColumn,
  typeColumn,
  validCertColumn,
  {header: 'NODE AGENT', cell: ({secret}) => ({text: secret?.agent ?? ''})},
  {header: 'PROXY', cell: ({secret}) => ({text: secret?.proxy ?? ''})},
  {header: 'RESULT', cut: 'after-word', cell: (line) => resultCell(line)},
  leftColumn,
  ...dateColumns,
  ...wideColumns,
  {header: 'COMPARED BY', wide: true, cell: ({secret}) => ({text: secret?.comparedBy ?? ''})},
  {header: 'SOURCES', wide: true, cell: ({secret}) => ({text: sources(secret)})},
]

/** `secrets diff`: each pod's secrets, against the other side. */
export const secretDiffView: View<SecretDiffItem> = {
  kind: 'SecretDiffList',
  itemKind: 'SecretDiff',
  nothing: 'No pods with an agent found',
  table: ({wide}) =>
    tableShape(columns, wide, (item: SecretDiffItem) =>
      secretLines(item, {
        wide,
        says: ({result, reason, confirmed, contexts}) =>
          `${result} ${confirmed} ${contexts?.loaded === false} ${reason}`,
      }),
    ),
  remarks: ({pod, differences = []}) => differences.map((one) => differenceRemarks(pod, one)),
  wire: writeSecretDiff,
  rows: (item, options) => joinRows(writeSecretDiff(item, options)),
  outcomes: ['match', 'mismatch', 'not valid', 'not compared', 'unknown', 'skipped'],
  outcome,
  comparisons: ({rows}) => rows.map(({comparedBy}) => comparedBy),
}

function resultCell({item, secret, bundle, verdict}: DiffLine): Cell {
  if (secret === undefined) return {text: textWithoutRows(item) ?? 'no secrets', ...toneOf(verdict), spills: true}
  const told = [
    ...(secret.reason === '' ? [] : [secret.reason]),
    ...(bundle === undefined ? [] : [bundle]),
    ...remarks(secret, secret.reason),
    ...(isDifference(secret) && !secret.confirmed ? ['not confirmed'] : []),
  ]
  const text = [secret.result, ...(told.length === 0 ? [] : [told.join(', ')])].join(': ')
  // What is wrong with a certificate that both sides hold is told by its own column.
  if (text === 'MATCH') return {text, tone: 'good'}
  return {text, ...(secret.result === 'NOT_COMPARABLE' && verdict === 'pass' ? {tone: 'dim'} : toneOf(verdict))}
}

function sources(secret: SecretDiffRow | undefined): string {
  return [secret?.agentSource, secret?.proxySource].filter((source) => source !== undefined).join(', ')
}

function outcome({verdict, rows}: SecretDiffItem): Outcome {
  if (verdict === 'skipped' || verdict === 'unknown') return {label: verdict}
  if (rows.some((row) => isDifference(row) && row.confirmed)) return {label: 'mismatch'}
  if (verdict === 'fail') return {label: 'not valid'}
  const matches = rows.filter(({result}) => result === 'MATCH')
  if (matches.length === 0) return {label: 'not compared'}
  // What a pod is, its own certificates say; its roots are the same everywhere.
  const chains = matches.filter(({type}) => type === 'Cert Chain')
  const ways = (chains.length > 0 ? chains : matches).map(({comparedBy}) => STRENGTH.indexOf(comparedBy))
  return {label: 'match', by: STRENGTH[Math.max(...ways)] ?? 'none'}
}

function writeSecretDiff(item: SecretDiffItem, options: WireOptions): SecretDiffWire {
  return dropAbsent<SecretDiffWire>({
    ...writePodItem(item, options),
    secrets: item.rows.map((row) => writeRow(row, options.cert)),
    detail: item.differences?.map(writeDifference),
  })
}

function writeRow(row: SecretDiffRow, withCert: boolean): SecretDiffRowWire {
  return dropAbsent<SecretDiffRowWire>({
    resource_name: row.name,
    type: row.type,
    agent: row.agent,
    proxy: row.proxy,
    result: row.result,
    reason: row.reason,
    confirmed: row.confirmed,
    compared_by: row.comparedBy,
    agent_source: row.agentSource,
    proxy_source: row.proxySource,
    ...writeSecret(row, withCert),
  })
}
