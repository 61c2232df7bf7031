import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'
import {CGROUPS, hierarchiesOf, type Hierarchy} from './cgroup-places.ts'

/** Where the state of a run lies: in memory, and gone with the namespaces. */
export const STATE = '/run/agentctl-real'

/**
 * Gives this mount namespace its own `/run`, `/sys`, `/var` and cgroups, so that nothing that a container runtime or a
 * kubelet writes outside its folders reaches the machine. Only to be called inside the namespaces.
 */
export async function ownMounts(): Promise<void> {
  const cgroups = existsSync(join(CGROUPS, 'cgroup.controllers')) ? undefined : readdirSync(CGROUPS)
  const bound = readFileSync('/proc/self/cgroup', 'utf8')
  await mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/run')
  for (const name of ['upper', 'work']) mkdirSync(join(STATE, 'var', name), {recursive: true})
  const options = `lowerdir=/var,upperdir=${STATE}/var/upper,workdir=${STATE}/var/work`
  await mount('-t', 'overlay', '-o', options, 'overlay', '/var')
  await mount('-t', 'sysfs', 'sysfs', '/sys')
  if (cgroups === undefined) await mountUnified()
  else await mountControllers(hierarchiesOf(bound, cgroups))
  await runCommand(['ip', 'link', 'set', 'lo', 'up'])
}

async function mountControllers(hierarchies: readonly Hierarchy[]): Promise<void> {
  await mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', CGROUPS)
  for (const {name, option} of hierarchies) {
    mkdirSync(join(CGROUPS, name))
    await mount('-t', 'cgroup', '-o', option, 'cgroup', join(CGROUPS, name))
  }
}

/** A cgroup of v2 that hands its controllers down may hold no process itself: ours go into a leaf. */
async function mountUnified(): Promise<void> {
  await mount('-t', 'cgroup2', 'cgroup2', CGROUPS)
  mkdirSync(join(CGROUPS, 'harness'))
  const pids = readFileSync(join(CGROUPS, 'cgroup.procs'), 'utf8').trim().split('\n')
  for (const pid of pids) writeFileSync(join(CGROUPS, 'harness', 'cgroup.procs'), pid)
  const controllers = readFileSync(join(CGROUPS, 'cgroup.controllers'), 'utf8').trim().split(' ')
  writeFileSync(join(CGROUPS, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '))
}

async function mount(...args: readonly string[]): Promise<void> {
  await runCommand(['mount', ...args])
}
