import type {Finding} from '../../domain/report.ts'
import {describeRow, type Row} from '../describe-row.ts'

/** A private key that stands where a certificate belongs. It was taken out before anything was kept. */
export function judgeKey(row: Row): readonly Finding[] {
  if (!row.keyFound) return []
  const message = `${describeRow(row)}: a private key stands where a certificate belongs; replace that key`
  return [{rule: 'key-in-certificate', severity: 'fail', message}]
}
