import type {Observation} from '../domain/observation.ts'
import type {Question} from '../domain/question.ts'
import {findVolume} from '../profiles/find-certificates.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import type {Plan, Wants} from './plan.ts'
import {routesFor} from './routes-for.ts'
import {type Asked, SOURCES} from './sources.ts'

type Elsewhere = NonNullable<Profile['elsewhere']>[number]

/** The lists of pods that may speak for this one; many pods share each. */
export function findSpeakers({pod, agent, profile}: Asked, wants: Wants): readonly Question[] {
  const container = pod.containers.find(({name}) => name === agent.container)
  if (container === undefined) return []
  return wantedElsewhere(profile, wants)
    .filter(({when}) => findVolume(pod, container, when.mount) !== undefined)
    .map(({source, pods, container: speaker}) => ({
      source,
      side: 'agent',
      container: speaker,
      forms: [{type: 'api', path: listPath(wants.istioNamespace, pods, pod.node)}],
      routes: ['api'],
      maxBytes: SOURCES[source].maxBytes,
    }))
}

/** One question for each pod that was found to speak for this one. */
export function askSpeakers(profile: Profile, observations: readonly Observation[], wants: Wants): Plan {
  const found = observations.flatMap((seen) => (seen.type === 'speakers' ? [seen] : []))
  const questions = wantedElsewhere(profile, wants).flatMap((elsewhere) =>
    found
      .filter(({by}) => by.source === elsewhere.source)
      .flatMap(({pods}) => pods)
      .flatMap((at) => askAt(at, elsewhere, wants)),
  )
  return {questions, failures: []}
}

function askAt(at: NonNullable<Question['at']>, elsewhere: Elsewhere, {via}: Wants): readonly Question[] {
  const {source, container, port, path, execHttp} = elsewhere
  const form = {type: 'http', port, paths: [path], bindsToPod: false, refusals: []} as const
  const [route, ...rest] = routesFor(form, via, execHttp)
  if (route === undefined) return []
  const {maxBytes} = SOURCES[source]
  return [{source, side: 'agent', at, container, forms: [form], routes: [route, ...rest], maxBytes}]
}

/** Of what other pods could say, what the flags leave. */
export function wantedElsewhere({elsewhere = []}: Profile, wants: Wants): readonly Elsewhere[] {
  const {sides, sources: named, exclude} = wants
  return elsewhere
    .filter(() => sides.includes('agent'))
    .filter(({source}) => !exclude.includes(source))
    .filter(({source}) => named === undefined || named.includes(source) || !named.some(speaksForAgent))
}

function speaksForAgent(source: Question['source']): boolean {
  return source !== 'debug' && SOURCES[source].sides.includes('agent')
}

function listPath(namespace: string, {labels, onNode}: Elsewhere['pods'], node: string | undefined): string {
  const query = new URLSearchParams({labelSelector: labels})
  const running = 'status.phase=Running'
  query.set('fieldSelector', onNode && node !== undefined ? `${running},spec.nodeName=${node}` : running)
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?${query.toString()}`
}
