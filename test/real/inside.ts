import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {startCluster} from './cluster/start-cluster.ts'
import {ownMounts, STATE} from './machine/mounts.ts'
import {startMesh} from './mesh/start-mesh.ts'
import type {Parts} from './parts/build-parts.ts'
import {runCommand} from './run-command.ts'
import type {Site} from './site.ts'
import {startKubelet} from './kubelet/start-kubelet.ts'
import {EMULATED_NODES} from './kubelet/node-object.ts'
import {spawnInherited} from './spawn-inherited.ts'

/** What `run.ts` starts inside the namespaces: brings up the mesh, and runs Jest on it. Arguments go to Jest. */
async function main(): Promise<void> {
  const parts = JSON.parse(process.env['REAL_PARTS'] ?? '') as Parts
  await ownMounts()
  const cluster = await startCluster(parts, STATE, process.env['REAL_LOGS'] ?? '')
  report('Cluster')
  startKubelet(cluster, EMULATED_NODES)
  await startMesh(cluster, parts.istioctl)
  report('Mesh')
  const {kubectl, istioctl, apiServer} = parts
  const site: Site = {kubeconfig: cluster.kubeconfig, pki: cluster.pki, kubectl, istioctl, apiServer}
  // What tests leave there goes with the namespaces, however the run ends.
  const temporary = join(STATE, 'tmp')
  await mkdir(temporary)
  const env = {...process.env, REAL_SITE: JSON.stringify(site), TMPDIR: temporary}
  process.exitCode = await testInTurns(process.argv.slice(2), env)
  // The cluster's processes are still running, and go with this one.
  process.exit()
}

function report(what: string): void {
  process.stderr.write(`${what} up after ${(performance.now() / 1000).toFixed(0)} s\n`)
}

/** Runs the suites that share the mesh, and then the one that changes it for all. Arguments go to Jest. */
async function testInTurns(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const output = args.map((arg) => OUTPUT_FILE.exec(arg)?.[1]).find((path) => path !== undefined)
  // Where there is a file for results, Jest writes the list there.
  const listing = args.filter((arg) => arg !== '--json' && !OUTPUT_FILE.test(arg))
  const chosen = (await runCommand(jest([...listing, '--listTests']), {env})).split('\n').filter((line) => line !== '')
  const turns = [OTHERS, LAST].filter((ignored) => chosen.some((path) => !new RegExp(ignored, 'u').test(path)))
  // Where nothing is chosen, Jest is to say so.
  if (turns.length === 0) return await spawnInherited(jest(args), env)
  const codes: number[] = []
  const results: string[] = []
  for (const [index, ignored] of turns.entries()) {
    const own = args.map((arg) => (OUTPUT_FILE.test(arg) ? `${arg}.${index}` : arg))
    codes.push(await spawnInherited(jest([...own, '--testPathIgnorePatterns', ignored]), env))
    if (output !== undefined) results.push(`${output}.${index}`)
  }
  if (output !== undefined) await writeFile(output, JSON.stringify(await sumUp(results)))
  return codes.find((code) => code !== 0) ?? 0
}

const OUTPUT_FILE = /^--outputFile=(.+)$/

/** The counts of several runs of Jest, as one. */
async function sumUp(paths: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const sum = {numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0}
  for (const path of paths) {
    const counts = JSON.parse(await readFile(path, 'utf8')) as typeof sum
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name]
  }
  return sum
}

/** What each turn leaves out: `root-change` gives istiod another CA, and comes last. */
const OTHERS = String.raw`root-change\.test\.ts$`
const LAST = String.raw`(?<!root-change)\.test\.ts$`

function jest(args: readonly string[]): readonly [string, ...string[]] {
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const command = [...node, 'node_modules/jest/bin/jest.js', '--config', 'test/real/jest.config.js']
  return [process.execPath, ...command, ...args]
}

await main()
