/** A moment (ms since 1970) as RFC 3339 in UTC, to the second. */
export function instant(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'an impossible time' : date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
