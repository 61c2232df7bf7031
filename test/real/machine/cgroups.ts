import {existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {CGROUPS, cgroupPlaces} from './cgroup-places.ts'

const PREFIX = 'agentctl-real-'

/** A cgroup in each hierarchy of the machine. */
export interface Cgroups {
  /** The `cgroup.procs` files by which a process enters them. */
  readonly entrances: readonly string[]
  readonly close: () => Promise<void>
}

/** Makes a cgroup of this process's own in each hierarchy, and removes those of runs that are dead. */
export async function openCgroups(): Promise<Cgroups> {
  const parents = cgroupPlaces(readFileSync('/proc/self/cgroup', 'utf8'), existsSync)
  for (const parent of parents) await removeDead(parent)
  const own = parents.map((parent) => join(parent, `${PREFIX}${String(process.pid)}`))
  for (const path of own) make(path)
  return {
    entrances: own.map((path) => join(path, 'cgroup.procs')),
    close: async () => {
      for (const path of own) await remove(path)
    },
  }
}

function make(path: string): void {
  mkdirSync(path)
  // A cpuset of v1 takes no process before it has processors and memory.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const own = join(path, file)
    if (
      existsSync(own) &&
      !path.startsWith(join(CGROUPS, 'unified')) &&
      existsSync(join(path, 'cpuset.sched_load_balance'))
    ) {
      writeFileSync(own, readFileSync(join(path, '..', file)))
    }
  }
}

async function removeDead(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX) && !existsSync(`/proc/${name.slice(PREFIX.length)}`)) await remove(join(parent, name))
  }
}

/** Removes a cgroup with all below it. The kernel takes a moment to take the last process out of it. */
async function remove(path: string): Promise<void> {
  for (const entry of readdirSync(path, {withFileTypes: true})) {
    if (entry.isDirectory()) await remove(join(path, entry.name))
  }
  for (let tries = 0; ; tries += 1) {
    try {
      rmdirSync(path)
      return
    } catch (error) {
      if (tries === 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
