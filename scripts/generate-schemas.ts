import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {jsonSchemas} from '../src/lib/report/wire/schemas.ts'

const FOLDER = join(import.meta.dirname, '..', 'schemas')

const texts = new Map(
  [...jsonSchemas()].map(([kind, schema]) => [`${kind}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`]),
)

await mkdir(FOLDER, {recursive: true})
const files = await readdir(FOLDER)
if (process.argv.includes('--check')) {
  for (const name of new Set([...files, ...texts.keys()])) {
    const shipped = files.includes(name) ? await readFile(join(FOLDER, name), 'utf8') : undefined
    if (shipped !== texts.get(name)) throw new Error(`schemas/${name} is out of date: run npm run generate`)
  }
} else {
  for (const [name, text] of texts) await writeFile(join(FOLDER, name), text)
  for (const name of files.filter((file) => !texts.has(file))) await rm(join(FOLDER, name))
}
