const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z')

/**
 * RFC 3339 in UTC of ms since 1970, with a fraction only where the second is not whole. Times outside the years 0 to
 * 9999, for which RFC 3339 has no form, are given as the nearest that has one.
 */
export function rfc3339(ms: number): string {
  const within = Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)
  return new Date(within).toISOString().replace('.000Z', 'Z')
}

/** One rounded-down number for people: `42s`, `5m`, `18h`, `3d`, `23y`; `-2h` for what is over. */
export function durationText(seconds: number): string {
  const sign = seconds < 0 ? '-' : ''
  const size = Math.abs(seconds)
  if (size < 60) return `${sign}${Math.floor(size)}s`
  if (size < 3600) return `${sign}${Math.floor(size / 60)}m`
  if (size < 48 * 3600) return `${sign}${Math.floor(size / 3600)}h`
  if (size < 2 * 365 * 86_400) return `${sign}${Math.floor(size / 86_400)}d`
  return `${sign}${Math.floor(size / (365 * 86_400))}y`
}
