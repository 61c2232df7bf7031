import type {Form, Route} from '../domain/question.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import type {Wants} from './plan.ts'
import {wantedSources} from './wanted-sources.ts'
import {wantedElsewhere} from './ask-speakers.ts'
import {routesFor} from './routes-for.ts'
import type {ApiRight, SourceSpec} from './source-spec.ts'

/** One right. */
export interface Permission {
  readonly verb: 'get' | 'list' | 'create'
  /** Absent for the core API group. */
  readonly group?: string
  readonly resource: string
  readonly subresource?: string
  /** Where only one object is read. */
  readonly resourceName?: string
  /** What it is needed for. */
  readonly why: string
  /** What it lets its holder do beside that. */
  readonly opens: string
  /** `false` for a route that is taken where another was refused, and for what only some pods need. */
  readonly isAlwaysNeeded: boolean
}

type Right = Omit<Permission, 'why' | 'isAlwaysNeeded'>

const LISTING: readonly Right[] = [
  {verb: 'get', resource: 'pods', opens: 'reads the whole spec of a pod, literal variables included'},
  {verb: 'list', resource: 'pods', opens: 'reads the whole specs of all pods, literal variables included'},
]

/**
 * Rights of a route. A WebSocket upgrade is a GET, and API servers since 1.35 want `create` beside it
 * (`AuthorizePodWebsocketUpgradeCreatePermission`), so both are named.
 */
const RIGHTS: Readonly<Record<Route, readonly Right[]>> = {
  'port-forward': (['get', 'create'] as const).map((verb) => ({
    verb,
    resource: 'pods',
    subresource: 'portforward',
    opens: 'reaches every port of the pod, loopback included, with any request',
  })),
  exec: (['get', 'create'] as const).map((verb) => ({
    verb,
    resource: 'pods',
    subresource: 'exec',
    opens: 'runs any program in the pod’s containers, and reads their files and keys',
  })),
  'pod-proxy': [
    {
      verb: 'get',
      resource: 'pods',
      subresource: 'proxy',
      opens: 'sends GET to every port that listens on the pod’s address',
    },
  ],
  // What of the API is read is each source's own.
  api: [],
  file: [],
}

/** The rights that a command needs for the pods of these kinds, over all its questions, forms and routes. */
export function permissions(wants: Wants, profiles: readonly Profile[] = builtinProfiles): readonly Permission[] {
  const merged = new Map<string, Permission>()
  const add = (right: Right, why: string, isAlwaysNeeded: boolean): void => {
    const key = [right.verb, right.group, right.resource, right.subresource, right.resourceName].join(' ')
    const before = merged.get(key)
    merged.set(key, {
      ...right,
      why:
        before === undefined || before.why.split(', ').includes(why) ? (before?.why ?? why) : `${before.why}, ${why}`,
      isAlwaysNeeded: isAlwaysNeeded || (before?.isAlwaysNeeded ?? false),
    })
  }
  for (const right of LISTING) add(right, 'pods and their agents', true)
  for (const {form, execHttp, why, isAlwaysAsked, rights = []} of profiles.flatMap((profile) =>
    shapes(profile, wants),
  )) {
    for (const [index, route] of routesFor(form, wants.via, execHttp).entries()) {
      for (const right of RIGHTS[route]) add(right, why, isAlwaysAsked && index === 0)
    }
    for (const {isForSome, ...right} of rights) add(right, why, isAlwaysAsked && isForSome !== true)
  }
  return [...merged.values()]
}

interface Shape {
  readonly form: Form
  readonly execHttp: boolean
  readonly why: string
  readonly isAlwaysAsked: boolean
  readonly rights?: readonly ApiRight[]
}

function shapes(profile: Profile, wants: Wants): readonly Shape[] {
  const {execHttp} = profile
  if (wants.debug !== undefined) {
    // Which number a pod's admin and status port have is not known here, so a number may mean them too.
    const {port} = wants.debug
    const found = profile.debug.filter(({port: at}) =>
      port === undefined ? at === 'admin' : at === port || typeof at === 'string',
    )
    return found.map(({port: at, binds}) => ({
      form: shapeOf(profile, at === 'admin' ? 'admin' : binds),
      execHttp,
      why: 'debug',
      isAlwaysAsked: true,
    }))
  }
  const own = wantedSources(profile, wants).map(({source, spec, isNamed}) => ({
    form: shapeOf(profile, spec.reach),
    execHttp,
    why: source,
    isAlwaysAsked: isNamed || spec.asked === 'always',
    ...(spec.rights !== undefined && {rights: spec.rights}),
  }))
  // Other pods are found by a list, whose right every command has, and asked as the pod itself is.
  const others = wantedElsewhere(profile, wants).map(({source, execHttp: hasHttp}) => ({
    form: shapeOf(profile, 'loopback'),
    execHttp: hasHttp,
    why: source,
    isAlwaysAsked: false,
  }))
  return [...own, ...others]
}

/** What a form looks like to the routes; ports and names do not matter to them. */
function shapeOf({admin}: Profile, reach: SourceSpec['reach']): Form {
  if (reach === 'api') return {type: 'api', path: ''}
  if (reach === 'file') return {type: 'read-file', paths: []}
  if (reach === 'socket') return {type: 'sds', socketPaths: [], resourceNames: []}
  const form = {type: 'http', port: 0, paths: [], bindsToPod: reach === 'pod', refusals: []} as const
  return reach === 'admin' && 'socket' in admin ? {...form, socket: admin.socket.file} : form
}
