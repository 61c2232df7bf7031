/** What an answer's headers say of it, by lower-case names. */
export function readHttpHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): {
  readonly contentType?: string
  readonly dateMs?: number
} {
  const type = headers['content-type']
  const date = headers['date']
  const dateMs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return {...(typeof type === 'string' && {contentType: type}), ...(!Number.isNaN(dateMs) && {dateMs})}
}
