import type {Agent} from '../../domain/agent.ts'
import {isDoubtful} from '../../domain/doubt.ts'
import type {Observation} from '../../domain/observation.ts'
import type {HttpForm} from '../../domain/question.ts'
import {type Asked, type Forms, type Later, MIB, type SourceSpec} from '../source-spec.ts'

const MASKED = '/config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'

/** Warming secrets before active ones: what arrives between the two requests is then seen twice, not never. */
const BY_RESOURCE = [
  '/config_dump?resource=dynamic_warming_secrets',
  '/config_dump?resource=dynamic_active_secrets',
  '/config_dump?resource=static_secrets',
]

/** A node shares its network among such pods: the bootstrap says whose Envoy has answered. */
const WHO_ARE_YOU = '/config_dump?mask=bootstrap'

/**
 * Envoy says 400 where it does not know a mask (or an older one its field), 404 where it knows no such resource or path
 * (`config_dump_handler.cc`).
 */
const REFUSALS = [400, 404] as const

/** What proxies say of themselves. */
export const PROXY_SOURCES = {
  'envoy-config-dump': {
    sides: ['proxy'],
    // The last form is the whole dump, which is 100 MB in a large mesh; it is read as a stream.
    maxBytes: 1024 * MIB,
    asked: 'always',
    reach: 'admin',
    forms: ({pod, agent}) => {
      const who = pod.hostNetwork ? [WHO_ARE_YOU] : []
      return adminForms(agent, [MASKED, ...who], [...BY_RESOURCE, ...who], ['/config_dump'])
    },
  },
  'envoy-certs': {
    sides: ['proxy'],
    maxBytes: 256 * MIB,
    asked: 'doubted',
    reach: 'admin',
    forms: certsForms,
    later: (asked, seen, round) => certsOfDoubted(asked, seen, round),
  },
  'ztunnel-config-dump': {
    sides: ['proxy', 'agent'],
    maxBytes: 1024 * MIB,
    asked: 'always',
    reach: 'admin',
    forms: ({agent}) => adminForms(agent, ['/config_dump']),
  },
} as const satisfies Record<string, SourceSpec>

function certsForms({agent}: Asked): Forms {
  return adminForms(agent, ['/certs'])
}

/** What is really loaded is asked where the dump may show what the proxy has refused: one answer is 660 bytes a context. */
function certsOfDoubted(asked: Asked, seen: readonly Observation[], round: number): Later {
  const isDoubted = seen.some(
    (one) =>
      one.type === 'secrets' &&
      one.by.source === 'envoy-config-dump' &&
      one.items.some((item) => isDoubtful(item, one.by)),
  )
  const forms = certsForms(asked)
  return {asks: round === 1 && isDoubted && !('missing' in forms) ? [forms] : []}
}

/** Forms for the proxy's admin interface, one a list of paths; all but the last may be refused. */
export function adminForms({admin}: Agent, first: readonly string[], ...more: readonly (readonly string[])[]): Forms {
  if (admin.type === 'off') return {missing: `its proxy's admin interface is off: ${admin.reason}`}
  const form = (paths: readonly string[], index: number): HttpForm => ({
    type: 'http',
    port: admin.type === 'port' ? admin.port : 0,
    paths,
    bindsToPod: false,
    ...(admin.type === 'socket' && {socket: admin.path}),
    refusals: index < more.length ? REFUSALS : [],
  })
  return [form(first, 0), ...more.map((paths, index) => form(paths, index + 1))]
}
