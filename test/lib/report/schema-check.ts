import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {Ajv2020} from 'ajv/dist/2020.js'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'schemas')

/** A shipped schema, as it stands in its file. */
export async function shippedSchema(kind: string): Promise<object> {
  const schema: unknown = JSON.parse(await readFile(join(FOLDER, `${kind}.schema.json`), 'utf8'))
  if (typeof schema !== 'object' || schema === null) throw new Error(`${kind} has no schema`)
  return schema
}

/** What a value has against the shipped schema of its kind, keys that are not declared among it. */
export async function schemaErrors(kind: string, value: unknown): Promise<readonly string[]> {
  const schema = await shippedSchema(kind)
  return [...errorsOf(schema, value), ...errorsOf(closed(schema), value)]
}

function errorsOf(schema: object, value: unknown): readonly string[] {
  const validate = new Ajv2020({allErrors: true}).compile(schema)
  validate(value)
  return (validate.errors ?? []).map(
    ({instancePath, message, params}) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** The same schema, but no object may hold a key that it does not declare. */
function closed(schema: object): object {
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]) => [key, closedValue(value)] as const)
  const copy = Object.fromEntries<unknown>(entries)
  return 'properties' in copy && copy['type'] === 'object' ? {...copy, additionalProperties: false} : copy
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue)
  return typeof value === 'object' && value !== null ? closed(value) : value
}
