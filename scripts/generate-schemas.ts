import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {jsonSchemas} from '../src/lib/report/wire/schemas.ts'

const folder = join(import.meta.dirname, '..', 'schemas')

await mkdir(folder, {recursive: true})
for (const [kind, schema] of jsonSchemas()) {
  await writeFile(join(folder, `${kind}.schema.json`), `${JSON.stringify(schema, undefined, 2)}\n`)
}
