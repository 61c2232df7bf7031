import {chmod, rm} from 'node:fs/promises'
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
  legalComments: 'linked',
  logLevel: 'warning',
  plugins: [pureClientNode],
})
await chmod(join(ROOT, 'bin', 'run.js'), 0o755)
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
process.stdout.write(`dist: ${Object.keys(metafile.outputs).length} files, ${(bytes / 1e6).toFixed(2)} MB\n`)
