import type {Row} from './describe-row.ts'

/** Whether what a row shows counts: it was read twice, or stands in a list, which is read once. */
export function isSettled(row: Row): boolean {
  return !('result' in row) || row.confirmed
}
