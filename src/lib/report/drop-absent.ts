/** The object without its keys whose value is `undefined`: absent on every output, in the same order. */
export function dropAbsent<T extends object>(fields: T): T {
  const present = {...fields}
  for (const key in present) {
    if (present[key] === undefined) Reflect.deleteProperty(present, key)
  }
  return present
}
