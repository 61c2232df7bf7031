import type {Observation} from '../domain/observation.ts'
import type {Speaker} from '../domain/mesh-seen.ts'
import {type PodRef, proxyId} from '../domain/pod.ts'
import type {Form, Question} from '../domain/question.ts'
import {findVolume} from '../profiles/find-certificates.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import type {Plan, Wants} from './plan.ts'
import {routesFor} from './routes-for.ts'
import type {Asked} from './source-spec.ts'
import {SOURCES} from './sources.ts'

type Elsewhere = NonNullable<Profile['elsewhere']>[number]

/** Where istiod has its metrics and debug endpoints, if its pod does not say otherwise. */
const METRICS_PORT = 15_014

/**
 * Other pods that speak for this one: in one round the lists in which they are found, which many pods share, and in the
 * next those pods themselves. Who is needed only for some secrets is looked for once the proxy has told its own.
 */
export function askElsewhere(
  asked: Asked,
  observations: readonly Observation[],
  round: number,
  wants: Wants,
): Plan['questions'] {
  return wantedElsewhere(asked.profile, wants).flatMap((elsewhere) => {
    const lookup = elsewhere.when.secrets === undefined ? 0 : 1
    if (round === lookup) return isNeeded(elsewhere, asked, observations) ? findSpeakers(elsewhere, asked, wants) : []
    return round === lookup + 1 ? askSpeakers(elsewhere, asked, observations, wants) : []
  })
}

function isNeeded({when}: Elsewhere, {pod, agent}: Asked, observations: readonly Observation[]): boolean {
  const {mount, secrets} = when
  const container = pod.containers.find(({name}) => name === agent.container)
  const isMounted = mount === undefined || (container !== undefined && findVolume(pod, container, mount) !== undefined)
  return isMounted && (secrets === undefined || secrets.some((prefix) => holdsOne(prefix, observations)))
}

function holdsOne(prefix: string, observations: readonly Observation[]): boolean {
  return observations.some(
    (seen) => seen.type === 'secrets' && seen.side === 'proxy' && seen.items.some(({name}) => name.startsWith(prefix)),
  )
}

function findSpeakers({source, pods, container}: Elsewhere, {pod}: Asked, wants: Wants): readonly Question[] {
  const {maxBytes, sides} = SOURCES[source]
  const form = {type: 'api', path: listPath(wants.istioNamespace, pods, pod.node)} as const
  return [{source, side: sides[0], container, forms: [form], routes: ['api'], maxBytes}]
}

function askSpeakers(
  elsewhere: Elsewhere,
  {pod, agent}: Asked,
  observations: readonly Observation[],
  wants: Wants,
): readonly Question[] {
  const found = observations
    .flatMap((seen) => (seen.type === 'speakers' && seen.by.source === elsewhere.source ? [seen] : []))
    .flatMap(({pods}) => pods)
  const ofRevision = found.filter(({revision}) => revision !== undefined && revision === agent.revision)
  // A pod may name a tag in place of a revision, which no control plane carries: then any of them may know it.
  const speakers = elsewhere.pods.ofRevision && ofRevision.length > 0 ? ofRevision : found
  return speakers.flatMap((speaker) => askAt(speaker, elsewhere, pod, wants))
}

function askAt(speaker: Speaker, elsewhere: Elsewhere, pod: PodRef, {via}: Wants): readonly Question[] {
  const {source, container, paths, execHttp} = elsewhere
  const {maxBytes, sides} = SOURCES[source]
  const isOwn = paths.some((path) => path.includes(PROXY))
  const form: Form = {
    type: 'http',
    port: elsewhere.port === 'metrics' ? (speaker.metricsPort ?? METRICS_PORT) : elsewhere.port,
    paths: paths.map((path) => path.replaceAll(PROXY, encodeURIComponent(proxyId(pod)))),
    // istiod tells its own pod more than others, so that the API server's proxy is no way to it.
    bindsToPod: false,
    refusals: [],
  }
  const [route, ...rest] = routesFor(form, via, execHttp)
  if (route === undefined) return []
  const {namespace, name} = speaker
  const at = {...(pod.context !== undefined && {context: pod.context}), namespace, name}
  return [
    {source, side: sides[0], at, ...(isOwn && {isOwn}), container, forms: [form], routes: [route, ...rest], maxBytes},
  ]
}

/** Stands in a path for the proxy's name at istiod. */
const PROXY = '{proxy}'

/** Of what other pods could say, what the flags leave. */
export function wantedElsewhere({elsewhere = []}: Profile, wants: Wants): readonly Elsewhere[] {
  const {sides, sources: named = [], exclude} = wants
  const sidesNamed = new Set(named.flatMap((source) => (source === 'debug' ? [] : SOURCES[source].sides)))
  return elsewhere.filter(({source}) => {
    const {sides: own, wanted} = SOURCES[source]
    if (exclude.includes(source) || !own.some((side) => sides.includes(side))) return false
    if (named.includes(source)) return true
    return !own.some((side) => sidesNamed.has(side)) && (wanted?.(wants.purpose) ?? true)
  })
}

function listPath(namespace: string, {labels, onNode}: Elsewhere['pods'], node: string | undefined): string {
  const query = new URLSearchParams({labelSelector: labels})
  const running = 'status.phase=Running'
  query.set('fieldSelector', onNode && node !== undefined ? `${running},spec.nodeName=${node}` : running)
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?${query.toString()}`
}
