import type {Side} from '../domain/question.ts'
import type {SecretDiffRow, SecretListRow} from '../domain/row.ts'
import {nameText} from '../domain/secret.ts'

/** A row of either kind. */
export type Row = SecretDiffRow | SecretListRow

/** What a finding is about: `secret default at the proxy`, `secret ROOTCA at the agent (51a7c0…)`. */
export function describeRow(row: Row): string {
  const serial = row.certificate?.readable === true ? row.certificate.serial : undefined
  return oneLine(`secret ${nameText(row)} at the ${sideOf(row)}${serial === undefined ? '' : ` (serial ${serial})`}`)
}

/** Foreign text in a message stays on its line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The side that a row speaks of; the proxy's where both hold it. */
export function sideOf(row: Row): Side {
  if ('side' in row) return row.side
  return row.proxy === '' && row.agent !== '' ? 'agent' : 'proxy'
}
