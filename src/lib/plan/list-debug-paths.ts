import type {Agent} from '../domain/agent.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import type {Profile} from '../profiles/profile-schema.ts'

/** One path that may be read on a debug port. */
export interface DebugPath {
  /** `undefined` for an admin interface that is a socket. */
  readonly port: number | undefined
  readonly isAdmin: boolean
  readonly bindsToPod: boolean
  readonly path: string
  /** Query keys that may go with it. */
  readonly queryKeys: readonly string[]
}

/** All that `debug get` may read of this agent: what its kind allows, on the ports that this pod has. */
export function listDebugPaths(agent: Agent, profiles: readonly Profile[] = builtinProfiles): readonly DebugPath[] {
  const profile = profiles.find(({name}) => name === agent.kind)
  return (profile?.debug ?? []).flatMap(({port, binds, paths}) => {
    const isAdmin = port === 'admin'
    const at = isAdmin ? adminPort(agent) : port === 'status' ? agent.statusPort : port
    if (at === undefined) return []
    return Object.entries(paths).map(([path, queryKeys]) => ({
      port: at === 'socket' ? undefined : at,
      isAdmin,
      bindsToPod: binds === 'pod',
      path,
      queryKeys,
    }))
  })
}

function adminPort({admin}: Agent): number | 'socket' | undefined {
  if (admin.type === 'off') return undefined
  return admin.type === 'socket' ? 'socket' : admin.port
}
