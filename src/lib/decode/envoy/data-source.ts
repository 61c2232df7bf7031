import {REMOVED_KEY, REMOVED_VALUE} from '../../domain/answer.ts'
import {field, type JsonRecord, textField} from '../json/narrow.ts'

/** What a `DataSource` gives: a text; or that there is none, or none in the answer. */
export type SourceText =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'absent'; readonly status: 'EMPTY' | 'UNKNOWN'; readonly message: string}
  | {readonly type: 'problem'; readonly problem: string}

/** What Envoy leaves in place of a secret (`[redacted]`). */
const REDACTED = '[redacted]'

/**
 * Reads `envoy.config.core.v3.DataSource`, in which exactly one of four fields is set. Bytes come back as a string of
 * one character a byte, text as it is.
 */
export function readDataSource(source: JsonRecord | undefined): SourceText {
  if (source === undefined) return {type: 'absent', status: 'EMPTY', message: 'no certificate'}
  const bytes = textField(source, 'inline_bytes')
  if (bytes !== undefined && bytes !== '') return fromBase64(bytes)
  const filename = textField(source, 'filename')
  if (filename !== undefined && filename !== '') return notInAnswer(`file ${filename}`)
  const variable = textField(source, 'environment_variable')
  if (variable !== undefined && variable !== '') return notInAnswer(`environment variable ${variable}`)
  return fromText(textField(source, 'inline_string') ?? '')
}

/** Whether a `DataSource` has any of its fields. */
export function isGiven(source: JsonRecord | undefined): source is JsonRecord {
  if (source === undefined) return false
  return ['inline_bytes', 'inline_string', 'filename', 'environment_variable'].some(
    (name) => field(source, name) !== undefined,
  )
}

/** Base64 in either alphabet, with or without padding, with or without line breaks. */
export function fromBase64(base64: string): SourceText {
  // The mark of a removed key may stand in the base64 itself.
  if (base64.includes(REMOVED_KEY) || base64 === REMOVED_VALUE) return fromText(base64)
  const plain = base64.replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain)) return {type: 'problem', problem: 'not base64'}
  return fromText(Buffer.from(plain, 'base64').toString('latin1'))
}

function fromText(text: string): SourceText {
  const trimmed = text.trim()
  if (trimmed === '') return {type: 'absent', status: 'EMPTY', message: 'no certificate'}
  if (trimmed === REDACTED || trimmed === REMOVED_VALUE) {
    return {type: 'absent', status: 'UNKNOWN', message: 'the certificate was taken out of the answer'}
  }
  return {type: 'text', text}
}

function notInAnswer(where: string): SourceText {
  return {type: 'absent', status: 'UNKNOWN', message: `the certificate is in ${where}, which the answer does not show`}
}
