/** A moment (ms since 1970) as RFC 3339 in UTC to the second; a time that no date can hold is told as such. */
export function formatTime(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'an impossible time' : date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
