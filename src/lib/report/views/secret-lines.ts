import type {PodItem} from '../../domain/report.ts'
import {rowSeverity, worstSeverity} from '../../domain/rank.ts'
import type {SecretDiffRow, SecretListRow} from '../../domain/row.ts'
import {asVerdict, compareStanding, standingOf} from '../severity.ts'
import {bundleText, foldBundles} from './fold-bundles.ts'
import type {Told} from './pod-columns.ts'

/** What one line of a table of secrets tells of. */
export interface SecretLine<Row extends SecretDiffRow | SecretListRow> extends Told {
  readonly item: PodItem
  /** Absent for a pod without rows. Of a folded bundle: the root that ends first, of the valid ones if there are any. */
  readonly secret?: Row
  /** `121 roots, 1 expired`, of a folded bundle. */
  readonly bundle?: string
}

export interface SecretLinesOptions<Row> {
  /** Every root takes a line of its own. */
  readonly wide: boolean
  /** Roots of a bundle are folded only with those that say the same. */
  readonly says: (row: Row) => string
}

/** The lines of one pod: worst first, then least time left; rows of one secret stay together, as they came. */
export function secretLines<Row extends SecretDiffRow | SecretListRow>(
  item: PodItem & {readonly rows: readonly Row[]},
  {wide, says}: SecretLinesOptions<Row>,
): readonly SecretLine<Row>[] {
  if (item.rows.length === 0) return [{item, row: 0, verdict: item.verdict}]
  const lines = foldBundles(item.rows, wide, says).map(({rows, index}): SecretLine<Row> => {
    const secret = endsFirst(rows)
    return {
      item,
      row: index,
      secret,
      verdict: asVerdict(worstSeverity(rows.map(rowSeverity))),
      secondsLeft: secret.secondsLeft,
      ...(rows.length === 1 ? {} : {bundle: bundleText(rows)}),
    }
  })
  const bySecret = Map.groupBy(lines, ({secret}) => JSON.stringify([secret?.name, secret?.trustDomain]))
  return [...bySecret.values()]
    .map((group) => ({group, ...standingOf(group)}))
    .toSorted(compareStanding)
    .flatMap(({group}) => group)
}

function endsFirst<Row extends SecretDiffRow | SecretListRow>(rows: readonly [Row, ...Row[]]): Row {
  const valid = rows.filter(({status}) => status === 'VALID')
  const left = (row: Row) => row.secondsLeft ?? Number.POSITIVE_INFINITY
  return (valid.length > 0 ? valid : rows).reduce((first, row) => (left(row) < left(first) ? row : first))
}
