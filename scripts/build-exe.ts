import {spawnSync} from 'node:child_process'
import {mkdirSync, statSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** What Bun builds for; the first is the machine's own. Other platforms' runtimes come from the npm registry. */
const TARGETS = [
  'bun-linux-x64',
  'bun-linux-x64-baseline',
  'bun-linux-x64-musl',
  'bun-linux-arm64',
  'bun-darwin-arm64',
  'bun-windows-x64',
]

const isAll = process.argv.includes('--all')
const targets: readonly (string | undefined)[] = isAll ? TARGETS : [undefined]
mkdirSync(join(ROOT, 'dist', 'exe'), {recursive: true})
for (const target of targets) {
  const name = target === undefined ? 'agentctl' : `agentctl-${target.replace(/^bun-/, '')}`
  const outfile = join(ROOT, 'dist', 'exe', name)
  const args = [
    'build',
    '--compile',
    '--minify',
    '--keep-names',
    '--bytecode',
    '--splitting',
    '--format=esm',
    // A run lasts a second: optimised code is rarely worth the memory that making it takes (50 MB for 200 pods).
    '--compile-jit-policy=30',
    // gRPC loads it for services that are not used here.
    '--external=@grpc/proto-loader',
    // Bun would read .env and bunfig.toml of the folder the user stands in, and run what the latter preloads.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    'src/exe.ts',
    `--outfile=${outfile}`,
  ]
  const {status, stderr, error} = spawnSync('bun', target === undefined ? args : [...args, `--target=${target}`], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`bun build for ${target ?? 'this machine'} ended with ${status}:\n${stderr}`)
  const path = target?.includes('windows') === true ? `${outfile}.exe` : outfile
  process.stdout.write(`${path.slice(ROOT.length + 1)}: ${(statSync(path).size / 1e6).toFixed(0)} MB\n`)
}
