import type {FleetReport, RootsItem} from '../../domain/report.ts'
import type {FleetRoot} from '../../domain/roots.ts'
import {keyText, timeText} from '../certificate-text.ts'
import {durationText} from '../time-text.ts'
import type {Cell, View} from '../view.ts'
import {writeRoot, writeRootFleet, writeRootList} from '../wire/write-roots.ts'
import {type Column, tableShape, type Told, toneOf} from './pod-columns.ts'
import {rootRemarks} from './root-remarks.ts'
import {SHORT_FINGERPRINT} from './short-fingerprint.ts'

interface RootLine extends Told {
  readonly root: FleetRoot
  readonly wide: boolean
}

const columns: readonly Column<RootLine>[] = [
  {header: 'TRUST DOMAIN', cut: 'middle', cell: ({root}) => ({text: root.trustDomain})},
  {header: 'ROOT', cut: 'end', cell: ({root}) => ({text: root.certificate.subject})},
  {header: 'TRUSTED BY', cell: (line) => trustedCell(line)},
  {header: 'LEAVES', cell: ({root}) => ({text: String(root.leaves)})},
  {header: 'PUBLISHED', cell: ({root}) => ({text: publishedText(root)})},
  {header: 'SIGNING', loseAs: 3, cell: ({root}) => ({text: root.isSigning ? 'yes' : ''})},
  {header: 'LEFT', cell: (line) => leftCell(line)},
  {
    header: 'FINGERPRINT',
    cell: ({root, wide}) => ({
      text: (root.certificate.fingerprint ?? '').slice(0, wide ? undefined : SHORT_FINGERPRINT),
    }),
  },
  {header: 'SERIAL NUMBER', loseAs: 2, cell: ({root}) => ({text: root.certificate.serial ?? ''})},
  {header: 'NOT AFTER', loseAs: 4, cell: ({root}) => ({text: timeText(root.certificate.notAfterMs)})},
  {header: 'NOT BEFORE', loseAs: 1, cell: ({root}) => ({text: timeText(root.certificate.notBeforeMs)})},
  {header: 'KEY', wide: true, cell: ({root}) => ({text: keyText(root.certificate.key)})},
]

/** `secrets roots`: a line for each root of the fleet; pods are told of only where something is wrong with them. */
export const rootListView: View<RootsItem> = {
  kind: 'RootList',
  itemKind: 'Root',
  nothing: 'No pods with an agent found',
  table({wide}) {
    const shape = tableShape(columns, wide, (fleet: FleetReport) => linesOf(fleet, wide))
    return {columns: shape.columns, lines: () => [], fleetLines: (fleet) => shape.lines(fleet)}
  },
  wire: writeRootList,
  rows: () => [],
  fleet: {
    remarks: rootRemarks,
    wire: writeRootFleet,
    rows: ({roots}, {cert}) => (roots?.roots ?? []).map((root) => writeRoot(root, cert)),
  },
  outcomes: ['read', 'unknown', 'skipped'],
  outcome: ({verdict}) => ({label: verdict === 'unknown' || verdict === 'skipped' ? verdict : 'read'}),
}

function linesOf({roots}: FleetReport, wide: boolean): readonly RootLine[] {
  return (roots?.roots ?? []).map((root, row) => ({
    root,
    wide,
    row,
    secondsLeft: root.secondsLeft,
    verdict: root.status === 'VALID' ? 'pass' : 'warn',
  }))
}

function trustedCell({root: {trustedBy, verifiers}}: RootLine): Cell {
  const text = `${trustedBy} of ${verifiers}`
  return {text, ...(trustedBy < verifiers && toneOf('warn'))}
}

function publishedText({published: {namespaces, of}}: FleetRoot): string {
  if (of === 0) return ''
  if (namespaces === of) return 'yes'
  return namespaces === 0 ? 'no' : `${namespaces} of ${of}`
}

function leftCell({root: {status, secondsLeft}, verdict}: RootLine): Cell {
  if (status === 'NOT_YET_VALID') return {text: 'not yet', ...toneOf(verdict)}
  return {text: durationText(secondsLeft), ...(status !== 'VALID' && toneOf(verdict))}
}
