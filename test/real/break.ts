import {spawnSync} from 'node:child_process'
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {runCommand} from './run-command.ts'

/** A fault put into the program, and the suite that must then fail. */
interface Breakage {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly suite: string
}

const BREAKAGES: readonly Breakage[] = [
  {
    what: 'serial numbers that lose a digit',
    file: 'src/lib/decode/x509/read-certificate.ts',
    from: 'normaliseHexSerial(certificate.serialNumber)',
    to: 'normaliseHexSerial(certificate.serialNumber.slice(1))',
    suite: 'suites/secrets',
  },
  {
    what: "a hint that leaves out one of an upgrade's verbs",
    file: 'src/lib/cluster/explain-refusal.ts',
    from: "['get', 'create']",
    to: "['get']",
    suite: 'suites/api-server',
  },
  {
    what: 'a validity that ends a second late',
    file: 'src/lib/domain/certificate.ts',
    from: 'second > Math.floor(block.notAfterMs / 1000)',
    to: 'second > Math.floor(block.notAfterMs / 1000) + 1',
    suite: 'suites/edges',
  },
  {
    what: 'a validity that begins a second late',
    file: 'src/lib/domain/certificate.ts',
    from: 'second < Math.floor(block.notBeforeMs / 1000)',
    to: 'second <= Math.floor(block.notBeforeMs / 1000)',
    suite: 'suites/edges',
  },
  {
    what: "an agent's expiry that is three seconds off",
    file: 'src/lib/decode/metrics/decode-agent-metrics.ts',
    from: 'base.ms / 1000 + value',
    to: 'base.ms / 1000 + value + 3',
    suite: 'suites/secrets',
  },
  {
    what: "a command's exit code that is not read",
    file: 'src/lib/cluster/streams/command-status.ts',
    from: "status['status'] === 'Success'",
    to: "status['status'] !== undefined",
    suite: 'suites/streams',
  },
  {
    what: 'a stream that is read however slow its reader is',
    file: 'src/lib/cluster/streams/port-stream.ts',
    from: 'if (!this.push(data)) this.#socket.hold(this.#channel)',
    to: 'this.push(data)',
    suite: 'suites/streams',
  },
  {
    what: 'a root that is not due to be taken up told as a failure',
    file: 'src/lib/judge/rules/root-missing.ts',
    from: "{text: row.reason, severity: 'warn'}",
    to: '{text: row.reason}',
    suite: 'suites/root-change',
  },
]

const ROOT = join(import.meta.dirname, '..', '..')

/**
 * Breaks the program in one way after the other, each in a copy, and says whether the suite on real parts has seen it.
 * An argument chooses the suites whose path has it.
 */
async function main(chosen = ''): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agentctl-broken-'))
  try {
    await copyTree(folder)
    for (const breakage of BREAKAGES.filter(({suite}) => suite.includes(chosen))) {
      const isSeen = await isRed(folder, breakage)
      process.stdout.write(`${isSeen ? 'red  ' : 'GREEN'}  ${breakage.suite}: ${breakage.what}\n`)
      if (!isSeen) process.exitCode = 1
    }
  } finally {
    await rm(folder, {recursive: true})
  }
}

async function copyTree(folder: string): Promise<void> {
  const files = (await runCommand(['git', 'ls-files', '-z'], {cwd: ROOT})).split('\0').filter((name) => name !== '')
  for (const name of files) await cp(join(ROOT, name), join(folder, name))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** Whether tests of the suite fail with the fault in place; a run that ends before its tests is none of that. */
async function isRed(folder: string, {what, file, from, to, suite}: Breakage): Promise<boolean> {
  const path = join(folder, file)
  const whole = await readFile(path, 'utf8')
  if (whole.split(from).length !== 2) throw new Error(`${file} no longer has the one place for ${what}: ${from}`)
  await writeFile(
    path,
    whole.replace(from, () => to),
  )
  try {
    for (const script of ['scripts/build.ts', 'scripts/build-exe.ts']) {
      await runCommand([process.execPath, script], {cwd: folder})
    }
    const {status, stderr} = spawnSync(process.execPath, ['test/real/run.ts', suite], {cwd: folder, encoding: 'utf8'})
    return status === 1 && /^Tests: +\d+ failed/mu.test(stderr)
  } finally {
    await writeFile(path, whole)
  }
}

await main(process.argv[2])
