import type {Agent} from '../domain/agent.ts'
import type {Form, Question} from '../domain/question.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import {type DebugPath, listDebugPaths} from './list-debug-paths.ts'
import {checkPathText, refused} from './parse-debug-path.ts'
import {routesFor, type Via} from './routes-for.ts'

const MAX_BYTES = 1024 * 1024 * 1024

/** How a debug path is asked: which routes, and where the agent's kind is looked up. */
export interface DebugOptions {
  readonly via?: Via
  readonly profiles?: readonly Profile[]
}

/**
 * The question for one path on a debug port; without a port, on the proxy's admin interface. Throws RunError (2) for a
 * port, a path or a query key that the agent's kind does not allow, and where `via` cannot reach it.
 */
export function checkDebugPath(
  agent: Agent,
  port: number | undefined,
  text: string,
  {via = 'auto', profiles = builtinProfiles}: DebugOptions = {},
): Question {
  const {path, queryKeys, request} = checkPathText(text)
  const all = listDebugPaths(agent, profiles)
  const here = all.filter((known) => (port === undefined ? known.isAdmin : known.port === port))
  if (here.length === 0) throw refusePort(agent, port, text, all)
  const known = here.find((one) => one.path === path)
  if (known === undefined)
    throw refused(text, `it is none of the paths for ${agent.kind}`, [`Allowed: ${pathsOf(here)}`])
  const odd = queryKeys.find((key) => !known.queryKeys.includes(key))
  if (odd !== undefined) {
    const allowed = known.queryKeys.length === 0 ? 'no query at all' : known.queryKeys.join(', ')
    throw refused(text, `query key ${odd} does not go with ${path}`, [`Allowed: ${allowed}`])
  }
  const form: Form = {
    type: 'http',
    port: known.port ?? 0,
    paths: [request],
    bindsToPod: known.bindsToPod,
    ...(agent.admin.type === 'socket' && known.isAdmin && {socket: agent.admin.path}),
    refusals: [],
  }
  const execHttp = profiles.find(({name}) => name === agent.kind)?.execHttp ?? false
  const [route, ...rest] = routesFor(form, via, execHttp)
  if (route === undefined) throw refused(text, `--via ${via} cannot reach it`, ['Leave --via out'])
  return {
    source: 'debug',
    side: known.isAdmin ? 'proxy' : 'agent',
    container: agent.container,
    forms: [form],
    routes: [route, ...rest],
    maxBytes: MAX_BYTES,
  }
}

function refusePort(agent: Agent, port: number | undefined, text: string, all: readonly DebugPath[]): Error {
  const ports = [...new Set(all.flatMap((known) => known.port ?? []))]
  const hints = ports.length === 0 ? [] : [`Ports of ${agent.kind}: ${ports.join(', ')}`]
  if (port !== undefined) return refused(text, `${agent.kind} has no debug port ${port}`, hints)
  const why = agent.admin.type === 'off' ? agent.admin.reason : `${agent.kind} allows nothing there`
  return refused(text, `there is no admin interface to ask: ${why}`, hints)
}

function pathsOf(known: readonly DebugPath[]): string {
  return known.map(({path}) => path).join(', ')
}
