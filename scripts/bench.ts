// Run by Bun, whose child processes report their own CPU time and peak memory.
import {execFileSync, spawn} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {availableParallelism, cpus, tmpdir} from 'node:os'
import {join} from 'node:path'
import {spawnInherited} from '../test/real/spawn-inherited.ts'
import {unpackKubectl} from '../test/support/unpack-kubectl.ts'
import {type Figures, interleave, printFigures} from './bench/interleave.ts'

const ROOT = join(import.meta.dirname, '..')
const NODE = join(ROOT, 'node_modules', '.bin', 'node')
const BUN = join(ROOT, 'node_modules', '.bin', 'bun')
const EXE = join(ROOT, 'dist', 'exe', 'agentctl')
const PACKAGE = [NODE, join(ROOT, 'bin', 'run.js')]

const folder = mkdtempSync(join(tmpdir(), 'agentctl-bench-'))
const baseEnv = {PATH: process.env['PATH'] ?? '', HOME: folder}

interface Served<T> {
  readonly result: T
  /** Bytes that the sandbox sent. */
  readonly bytes: number
}

/**
 * A sandbox in a process of its own: a child's peak memory begins with that of its parent, so what measures must be
 * small.
 */
async function withSandbox<T>(
  pods: number,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<Served<T>> {
  const child = spawn(EXE, ['sandbox', 'start', '--pods', String(pods)], {stdio: ['ignore', 'pipe', 'inherit']})
  let said = ''
  const kubeconfig = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const path = /KUBECONFIG=(\S+)/.exec(said)?.[1]
      if (path !== undefined) resolve(path)
    })
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  try {
    const result = await use({...baseEnv, KUBECONFIG: kubeconfig})
    child.kill('SIGINT')
    await ended
    return {result, bytes: Number(/sent (\d+) bytes/.exec(said)?.[1] ?? Number.NaN)}
  } finally {
    child.kill('SIGINT')
  }
}

async function benchStart(): Promise<Record<string, unknown>> {
  const {figures, ratios} = await interleave(
    {
      'node -e 0': [NODE, '-e', '0'],
      'executable --version': [EXE, '--version'],
      'executable --help': [EXE, '--help'],
      'package --version': [...PACKAGE, '--version'],
      'package --help': [...PACKAGE, '--help'],
    },
    25,
    baseEnv,
  )
  const result: Record<string, unknown> = {}
  for (const [name, figure] of Object.entries(figures)) {
    const ratio = ratios(name, 'node -e 0')
    printFigures(name, figure, `${ratio.toFixed(2)} of node -e 0`)
    result[name] = {...figure, ratio}
  }
  return result
}

async function benchDiff(pods: number, runs: number): Promise<Record<string, unknown>> {
  const args = ['secrets', 'diff', '-A', '-o', 'json']
  const {result, bytes} = await withSandbox(
    pods,
    async (env) => await interleave({executable: [EXE, ...args], package: [...PACKAGE, ...args]}, runs, env),
  )
  const bytesPerPod = Math.round(bytes / (2 * (runs + 1)) / pods)
  for (const [name, figure] of Object.entries(result.figures)) {
    printFigures(
      `diff of ${pods} pods, ${name}`,
      figure,
      `${(figure.wallMs / pods).toFixed(1)} ms and ${bytesPerPod} B a pod`,
    )
  }
  return {...result.figures, bytesPerPod}
}

async function benchList(pods: number): Promise<Record<string, unknown>> {
  const list = ['agents', 'list', '-A', '-o', 'name']
  const kubectl = [await unpackKubectl(), 'get', 'pods', '-A', '-o', 'name']
  const {result} = await withSandbox(
    pods,
    async (env) => await interleave({executable: [EXE, ...list], package: [...PACKAGE, ...list], kubectl}, 3, env),
  )
  for (const [name, figure] of Object.entries(result.figures)) {
    printFigures(`list of ${pods} pods, ${name}`, figure, `${result.ratios(name, 'kubectl').toFixed(2)} of kubectl`)
  }
  return result.figures
}

type DecodingFigures = Record<string, {readonly oursMs: number; readonly baseMs: number; readonly ratio: number}>

/** Decoding 50 certificates, and a dump of 50 secrets, in the runtimes of both outputs. */
function benchDecoding(): Record<string, DecodingFigures> {
  const result: Record<string, DecodingFigures> = {}
  for (const [runtime, command] of Object.entries({Node: NODE, Bun: BUN})) {
    const said = execFileSync(command, [join(import.meta.dirname, 'bench', 'decoding.ts')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const figures = JSON.parse(said.toString()) as DecodingFigures
    for (const [name, {oursMs, baseMs, ratio}] of Object.entries(figures)) {
      const columns = [`${oursMs.toFixed(2)} ms`, `${baseMs.toFixed(2)} ms`, `${ratio.toFixed(2)} of the fields alone`]
      process.stdout.write(`${`decoding, ${runtime}: ${name}`.padEnd(44)}  ${columns.join('  ')}\n`)
    }
    result[runtime] = figures
  }
  return result
}

/** Everything on simulated agents, which needs nothing but this machine. */
async function benchSandbox(): Promise<void> {
  const results = {
    at: new Date().toISOString(),
    machine: {cpu: cpus()[0]?.model, cores: availableParallelism()},
    decoding: benchDecoding(),
    start: await benchStart(),
    diff1: await benchDiff(1, 9),
    diff200: await benchDiff(200, 5),
    diff2000: await benchDiff(2000, 3),
    list10000: await benchList(10_000),
  }
  const more = (results.diff200['executable'] as Figures).peakMb - (results.diff1['executable'] as Figures).peakMb
  process.stdout.write(`memory of 200 pods over that of 1, executable: ${more.toFixed(0)} MB\n`)
  mkdirSync(join(ROOT, 'bench', 'results'), {recursive: true})
  const file = join(ROOT, 'bench', 'results', `${results.at.replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  process.stdout.write(`kept in ${file.slice(ROOT.length + 1)}\n`)
}

const [first, ...rest] = process.argv.slice(2)
try {
  // The race against istioctl and kubectl builds and starts a cluster: it is Node's, as the tests on real parts are.
  if (first === '--real') process.exitCode = await spawnInherited([NODE, 'test/real/race/run.ts', ...rest], process.env)
  else await benchSandbox()
} finally {
  rmSync(folder, {recursive: true, force: true})
}
