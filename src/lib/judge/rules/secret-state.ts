import {BY_DESIGN, NO_LONGER_NEEDED} from '../../domain/rank.ts'
import type {Finding} from '../../domain/report.ts'
import {describeRow, oneLine, type Row} from '../describe-row.ts'

/** A secret that the proxy lists and can not use: it waits for it, could not take it up, or was denied it. */
export function judgeState(row: Row): readonly Finding[] {
  const isDiff = 'result' in row
  const isMild = isDiff && row.reason === BY_DESIGN.alsoActive
  if (isDiff && !row.confirmed) return []
  const about = describeRow(row)
  if (row.state === 'UNINITIALIZED')
    return [{rule: 'secret-uninitialized', severity: 'fail', message: `${about}: listed as active, but never taken up`}]
  if (row.state === 'UNAVAILABLE' && row.statusReason !== NO_LONGER_NEEDED) {
    const message = `${about}: unavailable: ${oneLine(row.statusReason ?? 'no reason given')}`
    return [{rule: 'secret-unavailable', severity: isMild ? 'warn' : 'fail', message}]
  }
  const isWaiting = row.state === 'WARMING' && !row.name.startsWith('invalid://') && !isMild
  if (!isWaiting) return []
  const why = isDiff && row.reason !== '' ? `, and ${oneLine([row.reason, ...row.notes].join('; '))}` : ''
  const message = `${about}: waits for its first certificate${why}`
  return [{rule: 'secret-warming', severity: isDiff ? 'fail' : 'warn', message}]
}
