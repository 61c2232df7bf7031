import {fieldsOf, textOf} from './narrow.ts'

/** A system's or library's own word for an error (`ECONNREFUSED`, `CERT_HAS_EXPIRED`); empty where it has none. */
export function errorCode(error: unknown): string {
  return textOf(fieldsOf(error)['code']) ?? ''
}

/** An error's message, its first line. */
export function errorLine(error: unknown): string {
  return (textOf(fieldsOf(error)['message']) ?? String(error)).split('\n', 1)[0] ?? ''
}

/** Whether an error is that of a bound in time. */
export function isTimeout(error: unknown): boolean {
  return fieldsOf(error)['name'] === 'TimeoutError'
}
