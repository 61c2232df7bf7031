import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Writes a generated file; with `--check` throws instead where it is not what it should be. */
export async function writeGenerated(path: string, text: string): Promise<void> {
  const target = join(ROOT, path)
  if (!process.argv.includes('--check')) return await writeFile(target, text)
  const before = await readFile(target, 'utf8').catch(() => '')
  if (before !== text) throw new Error(`${path} is out of date: run npm run generate`)
}
