import type {CertificateStatus} from '../../domain/certificate.ts'
import type {SecretRow} from '../../domain/row.ts'

/** Roots of one bundle that still take a line each. */
const UNFOLDED = 5

const WORDS: Readonly<Record<CertificateStatus, string>> = {
  VALID: 'valid',
  EXPIRED: 'expired',
  NOT_YET_VALID: 'not yet valid',
  INVALID: 'unreadable',
  UNKNOWN: 'not in the answer',
  EMPTY: 'empty',
}

/** One row, or the roots of one bundle that say the same. */
export interface Fold<Row> {
  readonly rows: readonly [Row, ...Row[]]
  /** Of the first of them, among all rows. */
  readonly index: number
}

/** Rows in their order, with the roots of a large bundle as one where its first stands; all by themselves in `wide`. */
export function foldBundles<Row extends SecretRow>(
  rows: readonly Row[],
  wide: boolean,
  says: (row: Row) => string,
): readonly Fold<Row>[] {
  const numbered = rows.map((row, index) => ({row, index}))
  const groups = Map.groupBy(numbered, ({row, index}) =>
    isRoot(row) ? JSON.stringify([row.name, row.type, says(row)]) : index,
  )
  return [...groups.values()]
    .flatMap((group): Fold<Row>[] => {
      const [first, ...rest] = group
      if (first === undefined) return []
      if (wide || group.length <= UNFOLDED) return group.map(({row, index}) => ({rows: [row], index}))
      return [{rows: [first.row, ...rest.map(({row}) => row)], index: first.index}]
    })
    .toSorted((a, b) => a.index - b.index)
}

/** `121 roots, 1 expired`. */
export function bundleText(rows: readonly SecretRow[]): string {
  const bad = rows.filter(({status}) => status !== undefined && status !== 'VALID')
  const counts = Map.groupBy(bad, ({status}) => WORDS[status ?? 'UNKNOWN'])
  return [`${rows.length} roots`, ...[...counts].map(([word, {length}]) => `${length} ${word}`)].join(', ')
}

/** Whether it is a root of a bundle. */
function isRoot({type}: SecretRow): boolean {
  return type === 'CA' || type === 'SPIFFE Bundle'
}
