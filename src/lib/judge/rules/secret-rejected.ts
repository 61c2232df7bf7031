import type {Finding} from '../../domain/report.ts'
import {refusedText} from '../../domain/secret.ts'
import {describeRow, oneLine, type Row} from '../describe-row.ts'

/** An update that the proxy refused; only a warning where the proxy holds what its agent has all the same. */
export function judgeRejection(row: Row): readonly Finding[] {
  if (row.rejected === undefined) return []
  const message = `${describeRow(row)}: ${oneLine(refusedText(row.rejected))}`
  return [{rule: 'secret-rejected', severity: 'result' in row && row.result === 'MATCH' ? 'warn' : 'fail', message}]
}
