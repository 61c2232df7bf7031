import type {Certificate, CertificateBlock} from '../domain/certificate.ts'
import {keyText} from './certificate-text.ts'
import {rfc3339} from './time-text.ts'

/** One thing that a certificate says, as documents name it and as people do. */
export interface CertificateField {
  readonly name: string
  readonly label: string
  readonly value: string | readonly string[]
}

/** What the certificates of one side say, in order: of the first all that is known of it, of the rest what tells them apart. */
function certificateFields(certificates: readonly CertificateBlock[]): readonly CertificateField[] {
  const [first, ...rest] = certificates
  if (first === undefined) return []
  return [...blockFields(first), ...rest.flatMap(restFields)]
}

function blockFields(block: CertificateBlock): readonly CertificateField[] {
  if (!block.readable) return [{name: 'cert_status_reason', label: 'problem', value: block.problem}]
  const isWhole = block.fingerprint !== undefined
  return [
    ...(isWhole || block.subject !== '' ? [{name: 'subject', label: 'subject', value: nameText(block.subject)}] : []),
    ...(isWhole || block.issuer !== '' ? [{name: 'issuer', label: 'issuer', value: nameText(block.issuer)}] : []),
    ...(isWhole || block.sans.length > 0 ? [{name: 'sans', label: 'SAN', value: block.sans}] : []),
    ...given('serial_number', 'serial', block.serial),
    ...dateFields(block),
    ...given('key', 'key', keyText(block.key)),
    ...(block.usages === undefined ? [] : [{name: 'usages', label: 'usage', value: block.usages}]),
    ...given('fingerprint_sha256', 'fingerprint', block.fingerprint),
    ...given('key.fingerprint_sha256', 'key sha256', block.key.fingerprint),
  ]
}

function restFields(block: CertificateBlock, index: number): readonly CertificateField[] {
  const at = `chain[${index}].`
  const label = `chain ${index + 1}`
  if (!block.readable) return [{name: `${at}cert_status_reason`, label, value: block.problem}]
  return [
    {name: `${at}subject`, label, value: nameText(block.subject)},
    {name: `${at}not_after`, label: 'until', value: rfc3339(block.notAfterMs)},
    ...given(`${at}fingerprint_sha256`, 'fingerprint', block.fingerprint),
  ]
}

function dateFields({notBeforeMs, notAfterMs}: Certificate): readonly CertificateField[] {
  const start = notBeforeMs === undefined ? undefined : rfc3339(notBeforeMs)
  return [...given('not_before', 'from', start), {name: 'not_after', label: 'until', value: rfc3339(notAfterMs)}]
}

function given(name: string, label: string, value: string | undefined): readonly CertificateField[] {
  return value === undefined || value === '' ? [] : [{name, label, value}]
}

function nameText(name: string): string {
  return name === '' ? '(none)' : name
}

/** The fields of both sides that can be held against each other: what one of two sides does not tell says nothing. */
export function comparableFields(
  agent: readonly CertificateBlock[] | undefined,
  proxy: readonly CertificateBlock[] | undefined,
): {readonly agent: readonly CertificateField[]; readonly proxy: readonly CertificateField[]} {
  const [ours, theirs] = [certificateFields(agent ?? []), certificateFields(proxy ?? [])]
  if (agent === undefined || proxy === undefined || (isWhole(agent) && isWhole(proxy)))
    return {agent: ours, proxy: theirs}
  const known = new Set(ours.map(({name}) => name)).intersection(new Set(theirs.map(({name}) => name)))
  const isKnown = ({name}: CertificateField): boolean => known.has(name)
  return {agent: ours.filter(isKnown), proxy: theirs.filter(isKnown)}
}

/** Not only facts of it are known. One that cannot be read says all that it can. */
function isWhole([first]: readonly CertificateBlock[]): boolean {
  return first?.readable !== true || first.fingerprint !== undefined
}
