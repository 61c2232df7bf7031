// One leg of the race on real parts, run by Bun inside their namespaces.
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {startRelay} from './count-bytes.ts'
import {interleave, once, printFigures} from './interleave.ts'

/** Where the race takes place, as the program that started the parts says it. */
export interface RaceSite {
  readonly kubeconfig: string
  readonly kubectl: string
  readonly istioctl: string
  /** JSON file that takes the figures, beside those of other legs. */
  readonly results: string
}

type Commands = Readonly<Record<string, readonly string[]>>

const ROOT = join(import.meta.dirname, '..', '..')
const EXE = join(ROOT, 'dist', 'exe', 'agentctl')
const PACKAGE = [join(ROOT, 'node_modules', '.bin', 'node'), join(ROOT, 'bin', 'run.js')]
const RELAY_PORT = 7443
const SERVER_PORT = 6443

const site = JSON.parse(process.env['RACE_SITE'] ?? '') as RaceSite
const folder = mkdtempSync(join(tmpdir(), 'agentctl-race-'))
const env = {PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: site.kubeconfig}

/** Runs the commands in turn, then each once more through a relay that counts bytes; the last one is the peer. */
async function race(title: string, commands: Commands, runs: number): Promise<void> {
  process.stdout.write(`\n${title} (load ${(loadavg()[0] ?? 0).toFixed(2)})\n`)
  const compared = await interleave(commands, runs, env)
  const bytes = await countBytes(commands)
  const peer = Object.keys(commands).at(-1) ?? ''
  const result = Object.entries(compared.figures).map(([name, figures]) => {
    const ratio = {wall: compared.ratios(name, peer), cpu: compared.ratios(name, peer, 'cpuMs')}
    const texts = [`${ratio.wall.toFixed(3)} wall`, `${ratio.cpu.toFixed(3)} CPU`, `${String(bytes[name] ?? 0)} B`]
    printFigures(name, figures, texts.join('  '))
    return [name, {...figures, ratio, bytes: bytes[name]}]
  })
  keep(title, Object.fromEntries(result))
}

/** Bytes of each command in both directions, as TLS carries them. */
async function countBytes(commands: Commands): Promise<Record<string, number>> {
  const relayed = join(folder, 'relayed.kubeconfig')
  writeFileSync(
    relayed,
    readFileSync(site.kubeconfig, 'utf8').replaceAll(`:${String(SERVER_PORT)}`, `:${String(RELAY_PORT)}`),
  )
  const relay = await startRelay(RELAY_PORT, SERVER_PORT)
  const counted: Record<string, number> = {}
  for (const [name, command] of Object.entries(commands)) {
    await once(command, {...env, KUBECONFIG: relayed})
    const {sent, received} = relay.take()
    counted[name] = sent + received
  }
  relay.close()
  return counted
}

function keep(title: string, figures: unknown): void {
  const known = existsSync(site.results) ? (JSON.parse(readFileSync(site.results, 'utf8')) as object) : {}
  const all = {...known, [title]: {load: loadavg()[0], figures}}
  writeFileSync(site.results, `${JSON.stringify(all, undefined, 2)}\n`)
}

async function raceStart(runs: number): Promise<void> {
  await race(
    'Start-up',
    {
      'agentctl --version': [EXE, '--version'],
      'agentctl --version, Node package': [...PACKAGE, '--version'],
      'agentctl --help': [EXE, '--help'],
      'istioctl version --remote=false': [site.istioctl, 'version', '--remote=false'],
    },
    runs,
  )
}

/** Each is told of the pod as its own help does it: `-n` here, `name.namespace` there. */
async function raceOne(title: string, target: string, runs: number): Promise<void> {
  const [name = '', namespace = ''] = target.split('.')
  const pod = [name, '-n', namespace]
  const source = ['--source', 'envoy-config-dump']
  await race(
    title,
    {
      'agentctl secrets diff': [EXE, 'secrets', 'diff', ...pod],
      'agentctl secrets list --source …': [EXE, 'secrets', 'list', ...pod, ...source],
      'agentctl secrets diff, Node package': [...PACKAGE, 'secrets', 'diff', ...pod],
      'istioctl proxy-config secret': [site.istioctl, 'proxy-config', 'secret', target],
    },
    runs,
  )
}

async function raceFleet(title: string, selector: string, runs: number): Promise<void> {
  const diff = ['secrets', 'diff', '-A', '-l', selector]
  const names = join(folder, 'names')
  const list = `${site.kubectl} get pods -A -l ${selector} --no-headers -o custom-columns=:.metadata.name,:.metadata.namespace`
  await once(['sh', '-c', `${list} | awk '{print $1 "." $2}' > ${names}`], env)
  const loop = (atOnce: number): readonly string[] => [
    'sh',
    '-c',
    `xargs -P ${String(atOnce)} -n 1 ${site.istioctl} proxy-config secret < ${names}`,
  ]
  await race(
    title,
    {
      'agentctl secrets diff': [EXE, ...diff],
      'agentctl secrets diff, Node package': [...PACKAGE, ...diff],
      'istioctl, one after the other': loop(1),
      'istioctl, eight at once': loop(8),
    },
    runs,
  )
}

async function raceList(title: string, runs: number): Promise<void> {
  const get = [site.kubectl, 'get', 'pods', '-A']
  await race(
    title,
    {
      'agentctl agents list -A': [EXE, 'agents', 'list', '-A', '--show', 'all'],
      'agentctl agents list -A -o json': [EXE, 'agents', 'list', '-A', '-o', 'json'],
      'agentctl agents list -A, Node package': [...PACKAGE, 'agents', 'list', '-A', '--show', 'all'],
      'kubectl get pods -A': get,
      'kubectl get pods -A -o json': [...get, '-o', 'json'],
    },
    runs,
  )
}

const legs: Readonly<Record<string, (title: string, what: string, runs: number) => Promise<void>>> = {
  start: async (_title, _what, runs) => await raceStart(runs),
  one: raceOne,
  fleet: raceFleet,
  list: async (title, _what, runs) => await raceList(title, runs),
}

const [leg = '', title = '', what = '', runs = ''] = process.argv.slice(2)
try {
  const run = legs[leg]
  if (run === undefined) throw new Error(`No leg ${leg}; there are ${Object.keys(legs).join(', ')}`)
  await run(title, what, Number(runs))
} finally {
  rmSync(folder, {recursive: true, force: true})
}
