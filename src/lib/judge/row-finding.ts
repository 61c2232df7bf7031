import type {Finding} from '../domain/finding.ts'
import type {RuleInfo} from '../domain/rule.ts'
import {nameText} from '../domain/secret.ts'
import {describeRow, oneLine, type Row, sideOf} from './describe-row.ts'
import {formatTime} from '../domain/format-time.ts'

/** What a finding on a row says beside what every one does. */
export interface RowFinding {
  /** What is wrong with it, in words. */
  readonly text: string
  readonly severity?: Finding['severity']
  readonly values?: Finding['values']
  /** Where the rule's own action is not the best one. */
  readonly hint?: string
}

/** A finding on one secret of one side. */
export function rowFinding({name, severity, action}: RuleInfo, row: Row, said: RowFinding): Finding {
  return {
    rule: name,
    severity: said.severity ?? severity,
    message: `${describeRow(row)}: ${oneLine(said.text)}`,
    brief: oneLine(`${nameText(row)}: ${said.text}`),
    subject: oneLine(`secret ${nameText(row)}`),
    values: {...valuesOf(row), ...said.values},
    hint: said.hint ?? action,
  }
}

function valuesOf(row: Row): NonNullable<Finding['values']> {
  const {certificate} = row
  const about = {secret: row.name, side: sideOf(row)}
  if (certificate?.readable !== true) return about
  return {
    ...about,
    ...(certificate.serial !== undefined && {serial_number: certificate.serial}),
    not_after: formatTime(certificate.notAfterMs),
  }
}
