import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {CGROUPS, cgroupPlaces, unifiedLacks} from './cgroup-places.ts'
import {NAMESPACES} from './enter.ts'

/** A machine that the tests cannot run on; the message says all that is missing. */
export class UnfitMachine extends Error {
  override readonly name = 'UnfitMachine'

  constructor(lacks: readonly string[]) {
    const list = lacks.map((lack) => `- ${lack}`).join('\n')
    super(`The tests on real parts cannot run on this machine:\n${list}`)
  }
}

/** Throws UnfitMachine where this is no machine to run the tests on, whatever is installed on it. */
export function checkPlatform(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new UnfitMachine([
      `they need Linux on x86-64 (Envoy comes as a binary for it), and this is ${process.platform} ${process.arch}`,
    ])
  }
  if (process.getuid?.() !== 0) throw new UnfitMachine(['they need root: containers, network namespaces and mounts'])
}

/** Throws UnfitMachine where this machine lacks anything. Nothing is left out of the run instead. */
export function checkMachine(): void {
  const lacks = [...namespaceLacks(), ...cgroupLacks(), ...goLacks()]
  if (lacks.length > 0) throw new UnfitMachine(lacks)
}

function namespaceLacks(): readonly string[] {
  const script = 'ip link add probe0 type bridge && mount -t tmpfs none /run'
  const {status, stderr, error} = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', script], {encoding: 'utf8'})
  if (status === 0) return []
  return [`they need namespaces of their own with a bridge and mounts: ${(error?.message ?? stderr).trim()}`]
}

function cgroupLacks(): readonly string[] {
  const isUnified = existsSync(join(CGROUPS, 'cgroup.controllers'))
  if (!isUnified) {
    if (existsSync(join(CGROUPS, 'memory', 'cgroup.procs'))) return []
    return [`they need cgroups under ${CGROUPS} (v1 controllers, or v2)`]
  }
  const places = cgroupPlaces(readFileSync('/proc/self/cgroup', 'utf8'), existsSync)
  return places.flatMap((place) => unifiedLacks(place, readFileSync(join(place, 'cgroup.subtree_control'), 'utf8')))
}

function goLacks(): readonly string[] {
  const {stdout, error} = spawnSync('go', ['env', 'GOVERSION'], {encoding: 'utf8'})
  if (error !== undefined) return ['they need Go 1.21 or newer on the PATH, to build Kubernetes and Istio']
  const minor = Number(/^go1\.(\d+)/u.exec(stdout)?.[1] ?? Number.NaN)
  return minor >= 21 ? [] : [`they need Go 1.21 or newer, and this is ${stdout.trim()}`]
}
