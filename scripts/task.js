// Runs one of the project's tasks with the project's own Node. Plain JavaScript: on a fresh machine it is the
// machine's Node, whatever its age, that starts it, and it installs what is missing first.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAM = join(ROOT, 'bin', 'run.js')
const STAMP = join(ROOT, 'node_modules', '.installed')
const JEST = [
  'node',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
]
const GENERATORS = [
  'scripts/generate-profiles.ts',
  'scripts/generate-sds-proto.ts',
  'scripts/generate-schemas.ts',
  'scripts/generate-commands.ts',
  'scripts/generate-readme.ts',
  'scripts/generate-rules.ts',
  'scripts/generate-thresholds.ts',
  'scripts/generate-recipes.ts',
]

/**
 * Each task's commands; further arguments of the task go to its last command.
 * @type {Record<string, string[][]>}
 */
const TASKS = {
  generate: GENERATORS.map((script) => ['node', script]),
  lint: [
    ...GENERATORS.map((script) => ['node', script, '--check']),
    ['tsc', '-p', '.'],
    ['oxlint', '--type-aware', '--deny-warnings'],
    ['oxfmt', '--check'],
    ['knip'],
  ],
  format: [['oxfmt']],
  build: [['node', 'scripts/build.ts']],
  'build:exe': [['node', 'scripts/build-exe.ts']],
  test: [['node', 'scripts/build.ts'], ['node', 'scripts/build-exe.ts'], JEST],
  'test:packed': [
    ['node', 'scripts/build.ts'],
    ['node', 'scripts/build-exe.ts'],
    ['node', 'scripts/test-packed.ts'],
  ],
  'test:real': [
    ['node', 'scripts/build.ts'],
    ['node', 'scripts/build-exe.ts'],
    ['node', 'test/real/run.ts'],
  ],
  agentctl: [
    ['node', 'scripts/build.ts', '--if-stale'],
    ['node', PROGRAM],
  ],
  demo: [
    ['node', 'scripts/build.ts', '--if-stale'],
    ['node', 'scripts/demo.ts'],
  ],
  bench: [
    ['node', 'scripts/build.ts'],
    ['node', 'scripts/build-exe.ts'],
    ['bun', 'scripts/bench.ts'],
  ],
}

const [task = '', ...rest] = process.argv.slice(2)
const commands = TASKS[task]
if (commands === undefined) throw new Error(`No task ${task}; there are ${Object.keys(TASKS).join(', ')}`)
// Ctrl-C is the command's to answer: this waits for how it ends.
process.on('SIGINT', () => {})
install()
for (const [index, command] of commands.entries()) {
  const status = run(index === commands.length - 1 ? [...command, ...rest] : command)
  if (status !== 0) {
    process.exitCode = status
    break
  }
}

/** Installs what the lock file names, unless that was done before. */
function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  process.stderr.write('Installing what is missing (npm ci) …\n')
  const status = run(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'], 'stderr')
  if (status !== 0) throw new Error('npm ci failed')
  writeFileSync(STAMP, wanted)
}

/**
 * Runs one command with the project's tools first on the PATH, and gives its exit code.
 * @param {string[]} command
 * @param {'stdout' | 'stderr'} output where its output goes
 */
function run([command = '', ...args], output = 'stdout') {
  const path = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const isWindows = process.platform === 'win32'
  // The program itself runs where the user is: he names files from there.
  const cwd = args[0] === PROGRAM ? (process.env['INIT_CWD'] ?? ROOT) : ROOT
  const {status, error} = spawnSync(command, args, {
    cwd,
    stdio: ['inherit', output === 'stdout' ? 'inherit' : 2, 'inherit'],
    env: {...process.env, PATH: path},
    shell: isWindows,
  })
  if (error !== undefined) throw error
  return status ?? 1
}
