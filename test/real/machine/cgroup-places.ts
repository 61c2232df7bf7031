import {join, resolve} from 'node:path'

/** Where the hierarchies are mounted. */
export const CGROUPS = '/sys/fs/cgroup'

/** One line of `/proc/self/cgroup`: `id:controllers:path`, of v2 without controllers (cgroups(7)). */
interface Membership {
  /** `memory`, `cpu,cpuacct`, `name=systemd`; empty for v2. */
  readonly controllers: string
  readonly path: string
}

function membershipsOf(text: string): readonly Membership[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      // A path may have colons of its own.
      const [, controllers = '', ...path] = line.split(':')
      return {controllers, path: path.join(':')}
    })
}

/** The folder of a process in each hierarchy that is mounted, by the text of its `/proc/PID/cgroup`. */
export function cgroupPlaces(text: string, exists: (path: string) => boolean): readonly string[] {
  return membershipsOf(text).flatMap(({controllers, path}) => {
    // Beside controllers of v1, v2 is mounted below them.
    const mounts = controllers === '' ? [CGROUPS, join(CGROUPS, 'unified')] : [join(CGROUPS, nameOf(controllers))]
    return mounts
      .map((mount) => resolve(mount, `.${path}`))
      .filter((place) => exists(join(place, 'cgroup.procs')))
      .slice(0, 1)
  })
}

/** A hierarchy of v1 to be mounted: the folder's name, and the option that says which it is. */
export interface Hierarchy {
  readonly name: string
  readonly option: string
}

/** Of folders below the mounts, those that are hierarchies of v1 of a process with this `/proc/PID/cgroup`. */
export function hierarchiesOf(text: string, folders: readonly string[]): readonly Hierarchy[] {
  const bound = new Set(membershipsOf(text).map(({controllers}) => controllers))
  return folders.flatMap((name) => {
    if (bound.has(name)) return [{name, option: name}]
    // A hierarchy without a controller is known by its name alone; systemd's is one.
    return bound.has(`name=${name}`) ? [{name, option: `none,name=${name}`}] : []
  })
}

/** What containers must be given, of v2. */
const NEEDED = ['cpu', 'memory', 'pids']

/** What is missing where a cgroup of v2 hands too few controllers to those below it, by its `cgroup.subtree_control`. */
export function unifiedLacks(place: string, subtreeControl: string): readonly string[] {
  const handed = new Set(subtreeControl.trim().split(/\s+/u))
  const missing = NEEDED.filter((controller) => !handed.has(controller))
  if (missing.length === 0) return []
  return [`they need the cgroup controllers ${missing.join(', ')} handed down by ${place} (cgroup.subtree_control)`]
}

function nameOf(controllers: string): string {
  return controllers.replace('name=', '')
}
