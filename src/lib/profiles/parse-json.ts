/** What a text says in JSON; `undefined` where it is none, which in an annotation is no fault of ours to report. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** An own property by a name that came from outside (`constructor` is a valid volume name); `undefined` if there is none. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined
export function own(record: unknown, key: string): unknown
export function own(record: unknown, key: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, key)) return undefined
  const value: unknown = Reflect.get(record, key)
  return value
}
