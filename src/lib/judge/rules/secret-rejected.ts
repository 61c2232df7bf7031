import type {Finding} from '../../domain/report.ts'
import {describeRow, oneLine, type Row} from '../describe-row.ts'

/** An update that the proxy refused; only a warning where the proxy holds what its agent has all the same. */
export function judgeRejection(row: Row): readonly Finding[] {
  if (row.rejected === undefined) return []
  const {at, details} = row.rejected
  const when = at === undefined ? '' : ` at ${at}`
  const message = `${describeRow(row)}: update refused${when}: ${oneLine(details)}`
  return [{rule: 'secret-rejected', severity: 'result' in row && row.result === 'MATCH' ? 'warn' : 'fail', message}]
}
