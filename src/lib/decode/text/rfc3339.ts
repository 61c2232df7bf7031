const RFC3339 = /^(\d{4})-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/**
 * A time of RFC 3339 in ms since 1970; `undefined` for anything else, and for Go's zero time (`0001-01-01T00:00:00Z`),
 * which stands for no time at all.
 */
export function parseTime(text: string | undefined): number | undefined {
  const year = text === undefined ? undefined : RFC3339.exec(text)?.[1]
  if (text === undefined || year === undefined || year === '0001') return undefined
  const time = Date.parse(text.toUpperCase())
  return Number.isNaN(time) ? undefined : time
}
