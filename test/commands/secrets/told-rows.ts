/** The essential facts of one row of a document, in one line. */
export interface RowFacts {
  readonly resource_name: string
  readonly type: string
  readonly side?: string
  readonly agent?: string
  readonly proxy?: string
  readonly state: string
  readonly result?: string
  readonly reason?: string
  readonly compared_by?: string
  readonly cert_status?: string
  readonly cert_status_reason?: string
  readonly serial_number: string
  readonly not_before: string
  readonly not_after: string
  readonly key?: {readonly type: string; readonly size?: number}
}

/** `default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 5c1d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z`. */
export function toldDiff(row: RowFacts): string {
  const reason = row.reason === '' ? '' : `: ${row.reason}`
  const sides = `${or(row.agent)}/${or(row.proxy)}`
  return `${or(row.resource_name)} ${row.type} ${sides} ${row.result}${reason} by ${row.compared_by}, ${toldCertificate(row)}`
}

/** `proxy default Cert Chain ACTIVE, VALID 5c1d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256`. */
export function toldList(row: RowFacts): string {
  const key =
    row.key === undefined ? '' : ` ${[row.key.type, row.key.size].filter((part) => part !== undefined).join(' ')}`
  return `${row.side} ${or(row.resource_name)} ${row.type} ${or(row.state)}, ${toldCertificate(row)}${key}`
}

function toldCertificate({cert_status, cert_status_reason, serial_number, not_before, not_after}: RowFacts): string {
  const reason = cert_status_reason === undefined ? '' : ` (${cert_status_reason})`
  return `${cert_status ?? '-'}${reason} ${or(serial_number)} ${or(not_before)} ${or(not_after)}`
}

function or(text: string | undefined): string {
  return text === undefined || text === '' ? '-' : text
}
