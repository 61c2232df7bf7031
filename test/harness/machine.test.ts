import {existsSync} from 'node:fs'
import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {cgroupPlaces, hierarchiesOf, unifiedLacks} from '../real/machine/cgroup-places.ts'
import {tryCommand} from '../real/run-command.ts'

const HARNESS = join(import.meta.dirname, '..', 'real', 'run-on-parts.ts')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentctl-machine-'))
})

afterAll(async () => await rm(folder, {recursive: true}))

/** What the tests on real parts say on a machine that `prepare` makes poorer, and how they end. */
async function runPoorer(prepare: string, env: NodeJS.ProcessEnv = {}): Promise<{stderr: string; code: number | null}> {
  const script = `const {runOnParts} = await import(${JSON.stringify(HARNESS)}); ${prepare}; await runOnParts('inside.ts')`
  const cache = {REAL_PARTS_CACHE: join(folder, 'parts')}
  return await tryCommand([process.execPath, '--input-type=module', '--eval', script], {
    env: {...process.env, ...cache, ...env},
  })
}

test('without root they say so in one message, and do nothing', async () => {
  const {stderr, code} = await runPoorer(`process.getuid() === 0 && process.setuid('nobody')`)

  expect(stderr).toBe(
    'The tests on real parts cannot run on this machine:\n- they need root: containers, network namespaces and mounts\n',
  )
  expect(code).toBe(1)
  expect(existsSync(join(folder, 'parts'))).toBe(false)
})

test('elsewhere than on Linux on x86-64 they say so in one message', async () => {
  const {stderr, code} = await runPoorer(`Object.defineProperty(process, 'arch', {value: 'arm64'})`)

  expect(stderr).toMatch(/^The tests .+:\n- they need Linux on x86-64 .+, and this is \w+ arm64\n$/)
  expect(code).toBe(1)
})

test('where namespaces are denied and Go is missing, both are said', async () => {
  for (const [name, text] of [
    ['unshare', 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1'],
    ['go', 'exit 127'],
    // All packages are there.
    ['dpkg-query', 'printf installed'],
  ] as const) {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const path = [folder, process.env['PATH'] ?? ''].join(delimiter)

  const {stderr, code} = await runPoorer(`process.getuid = () => 0`, {PATH: path})

  expect(stderr).toMatch(/^The tests on real parts cannot run on this machine:\n(?:- .+\n)+$/)
  expect(stderr).toContain('- they need namespaces of their own with a bridge and mounts: unshare: unshare failed')
  expect(stderr).toContain('- they need Go 1.21 or newer')
  expect(code).toBe(1)
  expect(existsSync(join(folder, 'parts'))).toBe(false)
})

describe('the cgroups of a process', () => {
  const CONTROLLERS = '5:memory:/jobs/a:b\n4:cpu,cpuacct:/\n3:pids:/jobs\n1:name=systemd:/\n0::/jobs\n'
  const UNIFIED = '0::/user.slice/session-1.scope\n'

  test('of v1 are found in each hierarchy that is mounted, those of v2 below them', () => {
    const mounted = new Set([
      '/sys/fs/cgroup/memory/jobs/a:b/cgroup.procs',
      '/sys/fs/cgroup/cpu,cpuacct/cgroup.procs',
      '/sys/fs/cgroup/systemd/cgroup.procs',
      '/sys/fs/cgroup/unified/jobs/cgroup.procs',
    ])

    expect(cgroupPlaces(CONTROLLERS, (path) => mounted.has(path))).toEqual([
      '/sys/fs/cgroup/memory/jobs/a:b',
      '/sys/fs/cgroup/cpu,cpuacct',
      '/sys/fs/cgroup/systemd',
      '/sys/fs/cgroup/unified/jobs',
    ])
  })

  test('of v2 alone are one', () => {
    expect(cgroupPlaces(UNIFIED, () => true)).toEqual(['/sys/fs/cgroup/user.slice/session-1.scope'])
  })

  test('are none where nothing is mounted', () => {
    expect(cgroupPlaces(CONTROLLERS, () => false)).toEqual([])
    expect(cgroupPlaces('', () => true)).toEqual([])
  })

  test('are mounted again by their controllers, and by the name where a hierarchy has none', () => {
    const folders = ['cpu', 'cpu,cpuacct', 'cpuset', 'memory', 'pids', 'systemd', 'unified']

    expect(hierarchiesOf(CONTROLLERS, folders)).toEqual([
      {name: 'cpu,cpuacct', option: 'cpu,cpuacct'},
      {name: 'memory', option: 'memory'},
      {name: 'pids', option: 'pids'},
      {name: 'systemd', option: 'none,name=systemd'},
    ])
    expect(hierarchiesOf(UNIFIED, folders)).toEqual([])
  })

  test('of v2 lack what is not handed down', () => {
    expect(unifiedLacks('/sys/fs/cgroup', 'cpuset cpu io memory pids\n')).toEqual([])
    expect(unifiedLacks('/sys/fs/cgroup/a', 'memory\n')).toEqual([
      'they need the cgroup controllers cpu, pids handed down by /sys/fs/cgroup/a (cgroup.subtree_control)',
    ])
    expect(unifiedLacks('/sys/fs/cgroup/a', '\n')).toHaveLength(1)
  })
})

test.each([
  ['exit 7', 7, ''],
  ['exit 0', 0, ''],
  ['kill -KILL $$', 137, 'sh -c kill -KILL $$ was ended by SIGKILL\n'],
  ['kill -SEGV $$', 139, 'sh -c kill -SEGV $$ was ended by SIGSEGV\n'],
])('a program of the harness that does %j gives %d, and a signal is named', async (script, code, line) => {
  const caller = `
    const {spawnInherited} = await import(${JSON.stringify(join(HARNESS, '..', 'spawn-inherited.ts'))})
    process.exitCode = await spawnInherited(['sh', '-c', ${JSON.stringify(script)}], process.env)`

  const ended = await tryCommand([process.execPath, '--input-type=module', '--eval', caller])

  expect(ended).toMatchObject({code, stderr: line})
})
