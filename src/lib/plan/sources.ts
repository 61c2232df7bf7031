import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import type {Form, HttpForm, Side, Source} from '../domain/question.ts'
import type {Agent} from '../domain/agent.ts'
import type {Pod} from '../domain/pod.ts'
import {holdAll} from '../profiles/match-profile.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import {readOrigin} from '../profiles/read-origin.ts'
import {certificateLists, secretObjects} from './credential-objects.ts'
import type {Purpose, Wants} from './plan.ts'
import {trustBundle} from './trust-bundle.ts'

/** What a source needs to know of a pod to be asked. */
export interface Asked {
  readonly pod: Pod
  readonly agent: Agent
  readonly profile: Profile
}

/** How one source is asked. */
export interface SourceSpec {
  /** Sides it speaks for; the first is the side of the question. */
  readonly sides: readonly [Side, ...Side[]]
  readonly maxBytes: number
  /**
   * Asked of every pod of its kinds that has it, of some of them, or only where the user names it.
   */
  readonly asked: 'always' | 'sometimes' | 'named'
  /** Whether its own flag was given, where its name (`named`) does not make it asked. */
  readonly optedIn?: (wants: OptIns) => boolean
  /** Where it answers; decides which routes lead there. */
  readonly reach: 'admin' | 'loopback' | 'pod' | 'file' | 'socket' | 'api'
  /** Whether a command wants it that did not name it. */
  readonly wanted?: (purpose: Purpose) => boolean
  /** Whether to ask it of this pod, where the user did not name it. */
  readonly suits?: (asked: Asked, wants: Pick<Wants, 'via' | 'purpose'>) => boolean
  /** Its forms, or why this pod has none of it; absent where it is asked only once more is known. */
  readonly forms?: (asked: Asked) => Forms
  /** Objects of the API that what earlier rounds brought asks for; `round` is counted from 1, the first that may ask. */
  readonly later?: (asked: Asked, seen: readonly Observation[], round: number, wants: OptIns) => Later
  /** Rights on objects of the API, where it reads some. */
  readonly rights?: readonly ApiRight[]
}

/** Of what a command wants, what opens something. */
type OptIns = Pick<Wants, 'sds' | 'kubernetesSecrets' | 'secretNames'>

/** What to ask in a later round, each with its forms in order, and what of it cannot be asked. */
export interface Later {
  readonly asks: readonly (readonly [Form, ...Form[]])[]
  readonly failure?: Pick<Failure, 'code' | 'message' | 'hint'>
}

/** A right that reading objects of the API needs. */
export interface ApiRight {
  readonly verb: 'get' | 'list'
  /** Absent for the core group. */
  readonly group?: string
  readonly resource: string
  /** Where only one object is read. */
  readonly resourceName?: string
  /** What it lets its holder do. */
  readonly opens: string
  /** Only some clusters need it. */
  readonly isForSome?: true
}

/** Forms in order, or why a pod has nothing to ask there. */
export type Forms = readonly [Form, ...Form[]] | {readonly missing: string; readonly hint?: string}

const MIB = 1024 * 1024

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

/** Seconds that pilot-agent waits for Envoy's metrics, and again for the application's, before it answers without. */
const SCRAPE_TIMEOUT = {'X-Prometheus-Scrape-Timeout-Seconds': '1'}

/** The closed list of what can be asked of a pod, beside what `debug get` allows. */
export const SOURCES: Readonly<Record<Exclude<Source, 'debug'>, SourceSpec>> = {
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
    asked: 'named',
    reach: 'admin',
    forms: ({agent}) => adminForms(agent, ['/certs']),
  },
  'ztunnel-config-dump': {
    sides: ['proxy', 'agent'],
    maxBytes: 1024 * MIB,
    asked: 'always',
    reach: 'admin',
    forms: ({agent}) => adminForms(agent, ['/config_dump']),
  },
  'agent-metrics': {
    sides: ['agent'],
    // Reading stops once the agent's own series are in; Envoy's can be more than 100 MB.
    maxBytes: 512 * MIB,
    asked: 'always',
    reach: 'pod',
    wanted: isOfAgent,
    suits: (asked) => asked.agent.statusPort !== undefined && tellsExpiry(asked),
    forms: ({pod, agent, profile}) =>
      agent.statusPort === undefined
        ? {missing: 'its status port is switched off'}
        : [
            {
              type: 'http',
              port: agent.statusPort,
              paths: ['/stats/prometheus'],
              headers: SCRAPE_TIMEOUT,
              bindsToPod: !answersItselfAlone(pod, agent, profile),
              refusals: [],
            },
          ],
  },
  'agent-files': {
    sides: ['agent'],
    maxBytes: 4 * MIB,
    asked: 'sometimes',
    reach: 'file',
    suits: (asked, {via, purpose}) =>
      asked.agent.certificateDir !== undefined &&
      (asked.agent.dialect === 'none' || (purpose !== 'mesh-roots' && (via === 'exec' || !tellsExpiry(asked)))),
    forms: ({agent: {certificateDir, certificateFiles}}) => {
      if (certificateDir === undefined || certificateFiles === undefined) {
        return {missing: 'it writes and mounts no certificate files (OUTPUT_CERTS is not set)'}
      }
      const {chain, roots} = certificateFiles
      return [{type: 'read-file', paths: [`${certificateDir}/${chain}`, `${certificateDir}/${roots}`]}]
    },
  },
  'agent-sds': {
    sides: ['agent'],
    maxBytes: 8 * MIB,
    asked: 'named',
    optedIn: ({sds = false}) => sds,
    reach: 'socket',
    forms: ({agent, profile: {sds, trust}}) => {
      if (sds === undefined) return {missing: `no SDS socket of ${agent.kind} is known`}
      if ('off' in sds) return {missing: sds.off, ...(sds.instead !== undefined && {hint: sds.instead})}
      if (trust.others?.find(({name}) => name === agent.trustSource)?.ownsSocket === true) {
        return {
          missing: `its SDS socket is not the agent's: ${agent.trustSource} owns it`,
          hint: `Ask ${agent.trustSource} itself what it hands out; what the proxy holds is shown without --sds`,
        }
      }
      return [{type: 'sds', socketPaths: sds.sockets, resourceNames: ['default', 'ROOTCA']}]
    },
  },
  'published-root': {
    sides: ['agent'],
    maxBytes: 4 * MIB,
    asked: 'always',
    reach: 'api',
    wanted: (purpose) => purpose !== 'list',
    suits: ({agent, profile}) => agent.trustSource === profile.trust.default,
    forms: ({pod}) => [
      {type: 'api', path: `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/configmaps/istio-ca-root-cert`},
    ],
    later: (_asked, seen, round) => trustBundle(seen, round),
    rights: [
      {
        verb: 'get',
        resource: 'configmaps',
        resourceName: 'istio-ca-root-cert',
        opens: 'reads the published roots, which are public',
      },
      {
        verb: 'get',
        group: 'certificates.k8s.io',
        resource: 'clustertrustbundles',
        resourceName: 'istio.io:istiod-ca:root-cert',
        opens: 'reads the published roots, which are public',
        isForSome: true,
      },
    ],
  },
  'cert-manager': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'api',
    wanted: isOfAgent,
    later: certificateLists,
    rights: [
      {
        verb: 'list',
        group: 'cert-manager.io',
        resource: 'certificates',
        opens: 'reads what certificates are ordered, for which names and until when; no key',
      },
    ],
  },
  'kubernetes-secret': {
    sides: ['agent'],
    // More than the API server takes as one object.
    maxBytes: 4 * MIB,
    asked: 'named',
    optedIn: ({kubernetesSecrets = false}) => kubernetesSecrets,
    reach: 'api',
    later: secretObjects,
    rights: [{verb: 'get', resource: 'secrets', opens: 'reads whole Secrets, private keys included'}],
  },
  'node-agent-debug': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'loopback',
    wanted: isOfAgent,
    suits: ({pod, profile}) => nodeAgentContainer(pod, profile) !== undefined,
    forms: ({pod, profile}) => {
      const {nodeAgent} = profile
      const container = nodeAgentContainer(pod, profile)
      if (nodeAgent === undefined || container === undefined) return {missing: 'it has no node agent beside it'}
      const said = readOrigin(pod, container, {env: nodeAgent.portEnv})
      const port = said !== undefined && 'value' in said ? Number(said.value) : nodeAgent.port
      if (!Number.isInteger(port) || port < 1 || port > 65_535) return {missing: `its ${nodeAgent.portEnv} is no port`}
      return [{type: 'http', port, paths: [nodeAgent.path], bindsToPod: false, refusals: []}]
    },
  },
  'istiod-config-dump': {
    sides: ['agent'],
    // An istiod that is older than `types=` sends all of the proxy's configuration.
    maxBytes: 1024 * MIB,
    asked: 'sometimes',
    reach: 'loopback',
    wanted: isOfAgent,
    // No pod answers it for itself: `elsewhere` of its kind says who does.
  },
  'istiod-metrics': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'pod',
    wanted: (purpose) => purpose === 'mesh-roots',
  },
}

/** Evidence of what the agent has, where what the proxy trusts is all that matters. */
function isOfAgent(purpose: Purpose): boolean {
  return purpose !== 'mesh-roots'
}

/** Forms for the proxy's admin interface, one a list of paths; all but the last may be refused. */
function adminForms({admin}: Agent, first: readonly string[], ...more: readonly (readonly string[])[]): Forms {
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

function tellsExpiry({agent, profile}: Asked): boolean {
  return profile.trust.others?.find(({name}) => name === agent.trustSource)?.tellsExpiry ?? true
}

function answersItselfAlone(pod: Pod, agent: Agent, {status}: Profile): boolean {
  const container = pod.containers.find(({name}) => name === agent.container)
  return status?.loopbackWhen !== undefined && container !== undefined && holdAll(status.loopbackWhen, container.env)
}

function nodeAgentContainer(pod: Pod, {nodeAgent}: Profile): Pod['containers'][number] | undefined {
  return pod.containers.find(({name}) => name === nodeAgent?.container)
}
