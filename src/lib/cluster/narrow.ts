/** A JSON or YAML value known to be an object. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; an empty one where it is anything else, so that foreign nulls need no care. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** Whether the value is an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; an empty one where it is anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as text; `undefined` where it is anything else, or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of an object, by key; other values are left out. */
export function textsOf(value: unknown): Record<string, string> {
  const texts = Object.entries(fieldsOf(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}

/** The field where it has a value, nothing where it has none. */
export function present<Key extends string, Value>(key: Key, value: Value | undefined): {readonly [K in Key]?: Value}
export function present(key: string, value: unknown): object {
  return value === undefined ? {} : {[key]: value}
}
