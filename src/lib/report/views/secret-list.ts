import {rowSeverity} from '../../domain/rank.ts'
import type {SecretListItem} from '../../domain/report.ts'
import type {SecretListRow} from '../../domain/row.ts'
import {dropAbsent} from '../drop-absent.ts'
import type {Cell, Outcome, View, WireOptions} from '../view.ts'
import type {SecretListRowWire, SecretListWire} from '../wire/secret-list.schema.ts'
import {writePodItem} from '../wire/write-pod-item.ts'
import {writeSecret} from '../wire/write-secret.ts'
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

type ListLine = SecretLine<SecretListRow>

const columns: readonly Column<ListLine>[] = [
  contextColumn,
  namespaceColumn,
  podColumn,
  {header: 'SIDE', cell: ({secret}) => ({text: secret?.side ?? ''})},
  resourceNameColumn,
  typeColumn,
  {header: 'STATE', cut: 'after-word', cell: (line) => stateCell(line)},
  validCertColumn,
  leftColumn,
  ...dateColumns,
  ...wideColumns,
  {header: 'SOURCE', wide: true, cell: ({secret}) => ({text: secret?.source ?? ''})},
]

/** `secrets list`: what each side of a pod holds. */
export const secretListView: View<SecretListItem> = {
  kind: 'SecretList',
  itemKind: 'Secret',
  nothing: 'No pods with an agent found',
  table: ({wide}) =>
    tableShape(columns, wide, (item: SecretListItem) =>
      secretLines(item, {
        wide,
        says: ({side, source, state, contexts}) => `${side} ${source} ${state} ${contexts?.loaded === false}`,
      }),
    ),
  wire: writeSecretList,
  rows: (item, options) => joinRows(writeSecretList(item, options)),
  outcomes: ['read', 'not valid', 'unknown', 'skipped'],
  outcome,
}

function stateCell({item, secret, bundle, verdict}: ListLine): Cell {
  if (secret === undefined) return {text: textWithoutRows(item) ?? 'no secrets', ...toneOf(verdict), spills: true}
  const denied = secret.state === 'UNAVAILABLE' ? secret.statusReason : undefined
  const told = [
    ...(denied === undefined ? [] : [denied]),
    ...(bundle === undefined ? [] : [bundle]),
    ...remarks(secret),
  ]
  const state = secret.state ?? 'PRESENT'
  return {text: `${state}${told.length === 0 ? '' : `: ${told.join(', ')}`}`, ...toneOf(verdict)}
}

function outcome(item: SecretListItem): Outcome {
  if (item.verdict === 'skipped' || item.verdict === 'unknown') return {label: item.verdict}
  const isBad = item.rows.some((row) => row.status !== 'VALID' && rowSeverity(row) === 'fail')
  return {label: isBad || item.verdict === 'fail' ? 'not valid' : 'read'}
}

/** One pod of `secrets list`, as it is written. */
export function writeSecretList(item: SecretListItem, options: WireOptions): SecretListWire {
  return {...writePodItem(item, options), secrets: item.rows.map((row) => writeRow(row, options.cert))}
}

function writeRow(row: SecretListRow, withCert: boolean): SecretListRowWire {
  return dropAbsent<SecretListRowWire>({
    resource_name: row.name,
    type: row.type,
    side: row.side,
    agent_source: row.side === 'agent' ? row.source : undefined,
    proxy_source: row.side === 'proxy' ? row.source : undefined,
    ...writeSecret(row, withCert),
  })
}
