import {spawnSync, type SpawnSyncReturns} from 'node:child_process'
import {cpSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, dirname, join} from 'node:path'
import process from 'node:process'

const ROOT = join(import.meta.dirname, '..')
/** Node alone, without the project's tools: what users have. */
const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

interface Check {
  readonly what: string
  readonly command: readonly string[]
  readonly exit: number
  readonly stdout: RegExp
}

function run(command: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const [program = '', ...args] = command
  return spawnSync(program, args, {cwd, encoding: 'utf8', env: {PATH, HOME: cwd, npm_config_audit: 'false'}})
}

function checksOf(name: string, program: readonly string[]): readonly Check[] {
  return [
    {what: `${name}: --version`, command: [...program, '--version'], exit: 0, stdout: /^agentctl\/\d/},
    {what: `${name}: --help`, command: [...program, '--help'], exit: 0, stdout: /COMMANDS|TOPICS/},
    {what: `${name}: an unknown flag`, command: [...program, 'secrets', 'diff', '--nope'], exit: 2, stdout: /^$/},
    {
      what: `${name}: the diff in the sandbox`,
      command: [...program, 'sandbox', 'run', '--', 'agentctl', 'secrets', 'diff', '-A', '--deadline', '3s'],
      exit: 1,
      stdout: /MISMATCH/,
    },
  ]
}

const folder = mkdtempSync(join(tmpdir(), 'agentctl-packed-'))
let failed = 0
let passed = 0
try {
  const packed = run(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder, ROOT], folder)
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stderr}`)
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball')
  const installed = run(['npm', 'install', '--ignore-scripts', '--prefix', folder, join(folder, tarball)], folder)
  if (installed.status !== 0) throw new Error(`npm install failed:\n${installed.stderr}`)
  const exe = mkdtempSync(join(folder, 'exe-'))
  cpSync(join(ROOT, 'dist', 'exe', 'agentctl'), join(exe, 'agentctl'))

  const bins = join(folder, 'node_modules', '.bin')
  const checks = [
    ...checksOf('installed package', [join(bins, 'agentctl')]),
    ...checksOf('kubectl plugin name', [join(bins, 'kubectl-agentctl')]).slice(0, 2),
    ...checksOf('executable alone', [join(exe, 'agentctl')]),
  ]
  for (const {what, command, exit, stdout} of checks) {
    const result = run(command, exe)
    const isRight = result.status === exit && stdout.test(result.stdout)
    passed += Number(isRight)
    failed += Number(!isRight)
    process.stdout.write(`${isRight ? 'ok' : 'NOT OK'}  ${what}\n`)
    if (!isRight) process.stdout.write(`exit ${result.status}, expected ${exit}\n${result.stdout}\n${result.stderr}\n`)
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
process.stdout.write(`packed: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
