/** The object without its keys whose value is `undefined`: absent on every output, in the same order. */
export function dropAbsent<T extends object>(fields: T): T {
  const entries = Object.entries(fields) as [keyof T, T[keyof T]][]
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T
}
