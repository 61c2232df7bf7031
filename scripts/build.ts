import {chmod, readdir, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {build, type Plugin} from 'esbuild'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist')

/** client-node says nothing of side effects, so a bundler keeps all its 800 generated exports; it has none. */
const pureClientNode: Plugin = {
  name: 'pure-client-node',
  setup(builder) {
    builder.onResolve({filter: /^@kubernetes\/client-node|^\.\.?\//}, async (args) => {
      const isOurs = args.path.startsWith('@kubernetes/') || args.importer.includes('/@kubernetes/client-node/')
      if (!isOurs || args.pluginData === 'resolved') return undefined
      const {importer, namespace, resolveDir, kind} = args
      const {path, errors} = await builder.resolve(args.path, {
        importer,
        namespace,
        resolveDir,
        kind,
        pluginData: 'resolved',
      })
      return errors.length > 0 ? {errors} : {path, sideEffects: false}
    })
  },
}

/** Bundled CommonJS packages expect these three names. */
const COMMONJS_NAMES = [
  "import {createRequire as __createRequire} from 'node:module'",
  "import {fileURLToPath as __fileURLToPath} from 'node:url'",
  'const require = __createRequire(import.meta.url)',
  'const __filename = __fileURLToPath(import.meta.url)',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url))",
].join('\n')

if (process.argv.includes('--if-stale') && (await isFresh())) process.exit()
// The executable beside it is another build's.
for (const old of ['main.js', 'chunks']) await rm(join(OUT, old), {recursive: true, force: true})
const {metafile} = await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/main.ts'],
  outdir: OUT,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  metafile: true,
  platform: 'node',
  // ES modules where a package has both: they can be shaken, and a dynamic import gives their names.
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'node22',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {js: COMMONJS_NAMES},
  // gRPC loads it for services that are not used here.
  external: ['@grpc/proto-loader'],
  legalComments: 'linked',
  logLevel: 'warning',
  plugins: [pureClientNode],
})
await chmod(join(ROOT, 'bin', 'run.js'), 0o755)
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
process.stderr.write(`dist: ${Object.keys(metafile.outputs).length} files, ${(bytes / 1e6).toFixed(2)} MB\n`)

/** Whether what is built is younger than all it is built from. */
async function isFresh(): Promise<boolean> {
  const builtMs = await changedMs(join(OUT, 'main.js'))
  const sources = await readdir(join(ROOT, 'src'), {recursive: true})
  const paths = [...sources.map((source) => join(ROOT, 'src', source)), join(ROOT, 'package-lock.json')]
  const changes = await Promise.all(paths.map(changedMs))
  return changes.every((ms) => ms < builtMs)
}

/** When a file was last written, ms since 1970; before everything else where there is none. */
async function changedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
