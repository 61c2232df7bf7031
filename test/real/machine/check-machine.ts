import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {NAMESPACES} from './enter.ts'

/** Throws where this is no machine to run the tests on, whatever is installed on it. */
export function checkPlatform(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    fail([
      `they need Linux on x86-64 (Envoy comes as a binary for it), and this is ${process.platform} ${process.arch}`,
    ])
  }
  if (process.getuid?.() !== 0) fail(['they need root: containers, network namespaces and mounts'])
}

/** Throws with everything that this machine lacks, where it lacks anything. Nothing is left out of the run instead. */
export function checkMachine(): void {
  const lacks = [...namespaceLacks(), ...cgroupLacks(), ...goLacks()]
  if (lacks.length > 0) fail(lacks)
}

function fail(lacks: readonly string[]): never {
  throw new Error(`The tests on real parts cannot run on this machine:\n${lacks.map((lack) => `- ${lack}`).join('\n')}`)
}

function namespaceLacks(): readonly string[] {
  const script = 'ip link add probe0 type bridge && mount -t tmpfs none /run'
  const {status, stderr, error} = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', script], {encoding: 'utf8'})
  if (status === 0) return []
  return [`they need namespaces of their own with a bridge and mounts: ${(error?.message ?? stderr).trim()}`]
}

function cgroupLacks(): readonly string[] {
  if (existsSync('/sys/fs/cgroup/memory/cgroup.procs') || existsSync('/sys/fs/cgroup/cgroup.controllers')) return []
  return ['they need cgroups under /sys/fs/cgroup (v1 controllers, or v2)']
}

function goLacks(): readonly string[] {
  const {stdout, error} = spawnSync('go', ['env', 'GOVERSION'], {encoding: 'utf8'})
  if (error !== undefined) return ['they need Go 1.21 or newer on the PATH, to build Kubernetes and Istio']
  const minor = Number(/^go1\.(\d+)/u.exec(stdout)?.[1] ?? Number.NaN)
  return minor >= 21 ? [] : [`they need Go 1.21 or newer, and this is ${stdout.trim()}`]
}
