/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field by its proto name (`tls_certificate`), in Envoy's spelling or in protobuf's JSON spelling (`tlsCertificate`). */
export function field(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[camelCase(name)]
}

/** An object field; `undefined` where it is absent, null, or something else. */
export function recordField(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = field(record, name)
  return isRecord(value) ? value : undefined
}

/** A text field; `undefined` where it is absent or something else. */
export function textField(record: JsonRecord, name: string): string | undefined {
  const value = field(record, name)
  return typeof value === 'string' ? value : undefined
}

/** The objects of a list field, or of a map's values; none where it is absent or null. */
export function recordsField(record: JsonRecord, name: string): JsonRecord[] {
  const value = field(record, name)
  if (Array.isArray(value)) return value.filter(isRecord)
  return isRecord(value) ? Object.values(value).filter(isRecord) : []
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
