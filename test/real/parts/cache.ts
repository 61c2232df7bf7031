import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, rename, rm} from 'node:fs/promises'
import {homedir} from 'node:os'
import {join} from 'node:path'

/** Where built parts are kept: `REAL_PARTS_CACHE`, else a folder in the user's cache. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const {REAL_PARTS_CACHE: own = '', XDG_CACHE_HOME: cache = ''} = env
  if (own !== '') return own
  return join(cache === '' ? join(homedir(), '.cache') : cache, 'agentctl-real')
}

/** One thing to be built once. */
export interface Recipe {
  readonly name: string
  /** Everything that decides what comes out: another text is another build. */
  readonly inputs: readonly (string | Buffer)[]
  /** Writes the result into an empty folder. */
  readonly build: (folder: string) => Promise<void>
}

/** The folder with the result of a recipe, which is built where it is not there yet. */
export async function cached(cache: string, {name, inputs, build}: Recipe): Promise<string> {
  const hash = createHash('sha256')
  for (const input of inputs) hash.update(`${String(input.length)} `).update(input)
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, {recursive: true})
  const unfinished = await mkdtemp(join(cache, `.${name}-`))
  try {
    const startedMs = performance.now()
    process.stderr.write(`Building ${name} …\n`)
    await build(unfinished)
    // Two runs that build the same at once: the first result stays.
    if (!existsSync(folder)) await rename(unfinished, folder)
    process.stderr.write(`Built ${name} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`)
  } finally {
    await rm(unfinished, {recursive: true, force: true})
  }
  return folder
}
