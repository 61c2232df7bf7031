import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import {jsonSchemas} from '../../../src/lib/report/wire/schemas.ts'
import {shippedSchema} from './schema-check.ts'

test('the shipped schemas are those that the wire shapes give', async () => {
  const files = await readdir(join(import.meta.dirname, '..', '..', '..', 'schemas'))

  const generated = [...jsonSchemas()]
  const shipped = await Promise.all(generated.map(async ([kind]) => [kind, await shippedSchema(kind)]))
  expect(shipped).toEqual(generated)
  expect(files.toSorted()).toEqual(generated.map(([kind]) => `${kind}.schema.json`).toSorted())
})

test('every field of every kind says what it means', () => {
  const mute = [...jsonSchemas()].flatMap(([kind, schema]) => undescribed(schema, kind))

  expect(mute).toEqual([])
})

test('a schema lets unknown keys through, since keys are added within a version', () => {
  const text = JSON.stringify([...jsonSchemas().values()])

  expect(text).not.toContain('"additionalProperties":false')
})

function undescribed(schema: object, path: string): readonly string[] {
  const properties = 'properties' in schema && schema.properties instanceof Object ? schema.properties : {}
  const below = Object.entries(properties).flatMap(([name, property]: [string, unknown]) => {
    if (!(property instanceof Object)) return []
    return [...('description' in property ? [] : [`${path}.${name}`]), ...undescribed(property, `${path}.${name}`)]
  })
  const items = 'items' in schema && schema.items instanceof Object ? undescribed(schema.items, `${path}[]`) : []
  return [...below, ...items]
}
