/** A value as kubectl prints it: text as it stands, objects and lists as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
