import {RunError} from '../../domain/failure.ts'

const UNIT_MS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/** `1m30s`, `500ms`, `2h`, `7d`; a bare `0` too. Gives ms. Throws RunError (usage). */
export function parseDuration(text: string, flag: string): number {
  if (text === '0') return 0
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)]
  const length = parts.reduce((sum, [part]) => sum + part.length, 0)
  if (parts.length === 0 || length !== text.length) {
    throw usage(flag, text, 'a duration such as 500ms, 10s, 1m30s')
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNIT_MS[unit ?? ''] ?? 0), 0)
}

/** A whole number from `min` on. Throws RunError (usage). */
export function parseCount(text: string, flag: string, min: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number) || number < min) throw usage(flag, text, `a whole number from ${min} on`)
  return number
}

const PORT_MAX = 65_535

/** A port, where one is given. Throws RunError (usage). */
export function parsePort(text: string | undefined, flag = 'proxy-admin-port'): number | undefined {
  if (text === undefined) return undefined
  const port = parseCount(text, flag, 1)
  if (port > PORT_MAX) throw usage(flag, text, `a port up to ${PORT_MAX}`)
  return port
}

/** `5` or `2.5%`. Throws RunError (usage). */
export function parseShare(text: string, flag: string): {count: number} | {percent: number} {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  if (percent !== undefined && Number(percent) <= 100) return {percent: Number(percent)}
  if (/^\d+$/.test(text)) return {count: parseCount(text, flag, 0)}
  throw usage(flag, text, 'a number of pods, or a share such as 5%')
}

/** RFC 3339, also with an offset. Gives ms since 1970. Throws RunError (usage). */
export function parseInstant(text: string, flag: string): number {
  const isForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
  const ms = isForm ? Date.parse(text.replace(' ', 'T').toUpperCase()) : Number.NaN
  if (Number.isNaN(ms)) throw usage(flag, text, 'a time such as 2026-06-01T12:00:00Z')
  return ms
}

/** A regular expression. Throws RunError (usage). */
export function parsePattern(text: string, flag: string): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch (error) {
    throw usage(flag, text, 'a regular expression', error)
  }
}

/** One of a closed set. Throws RunError (usage) that lists the set. */
export function parseChoice<T extends string>(text: string, flag: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined) throw usage(flag, text, `one of ${choices.join(', ')}`)
  return choice
}

function usage(flag: string, text: string, expected: string, cause?: unknown): RunError {
  return new RunError(2, 'bad-flag', `Bad value for --${flag}: expected ${expected}, got ${JSON.stringify(text)}`, [], {
    cause,
  })
}
