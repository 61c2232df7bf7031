import type {Failure} from '../domain/failure.ts'
import type {IdentitiesExpected} from '../domain/mesh-seen.ts'
import type {Observation, PublishedRoots, SecretsSeen} from '../domain/observation.ts'
import {podKey, type PodRef} from '../domain/pod.ts'
import type {Source} from '../domain/question.ts'
import type {Evidence} from './evidence.ts'
import {expiryItem} from './expiry-item.ts'
import {gatherObjects} from './gather-objects.ts'
import {clockOf, type Held} from './held.ts'
import {joinContexts, type JoinedContexts} from './join-contexts.ts'
import {isNodeOf} from './node-identity.ts'
import {ofCaptured} from './of-captured.ts'
import {canSpeakFor} from './source-scope.ts'
import {byStrength, newestOfEach} from './strongest.ts'
import {unknownProxy} from './unknown-proxy.ts'

/** What one side holds, by its strongest sources. */
interface SideHeld {
  readonly held: readonly Held[]
  /** Sources that list every secret of the side that they can know, strongest first: what they do not list is not there. */
  readonly complete: readonly Source[]
  /** Secrets that a source knows not to be there, though it does not list all. */
  readonly lacking?: ReadonlyMap<string, Source>
  /** What is in TLS contexts and in no secret. */
  readonly loose: readonly Held[]
  /** The strongest source that answered at all, whatever it holds. */
  readonly answeredBy?: Source
}

/** The evidence of one pod, sorted: what is another pod's is out, and of each secret the strongest source is left. */
export interface Gathered {
  readonly agent: SideHeld
  readonly proxy: SideHeld
  /** An agent that could tell what it holds told nothing of this pod. */
  readonly agentIsEmpty: boolean
  /** Why nothing can be said of a secret's certificate by who should know it. */
  readonly untold: ReadonlyMap<string, string>
  /** What is worth a line on a secret, though it differs in nothing: that its renewal fails, that sources disagree. */
  readonly remarks: ReadonlyMap<string, readonly string[]>
  readonly published?: PublishedRoots
  readonly expected?: IdentitiesExpected
  /** Those given, those of parts of answers, and one for each answer that is of another pod. */
  readonly failures: readonly Failure[]
}

/** Evidence, and what comes of it: sorted once for all that is told of the pod. */
export interface GatheredEvidence extends Evidence {
  readonly gathered: Gathered
}

/** Sorts the evidence of a pod. */
export function gatherEvidence(evidence: Evidence): GatheredEvidence {
  return {...evidence, gathered: gather(evidence)}
}

function gather(evidence: Evidence): Gathered {
  const {own: all, failures} = attribute(evidence)
  const own = ofCaptured(all, evidence)
  const seen = own.filter((one) => one.type === 'secrets').toSorted(byStrength)
  const proxySeen = seen.filter(({side}) => side === 'proxy')
  const agentSeen = seen.filter(({side}) => side === 'agent').map((one) => ofPod(one, evidence.pod))
  const published = own.find((one) => one.type === 'published-roots' && one.roots.length > 0)
  const expected = mergeExpected(own.filter((one) => one.type === 'identities-expected'))
  const complete = completeSources(agentSeen.filter(tellsAll))
  const proxy = strongestSource(proxySeen, evidence)
  const objects = gatherObjects(
    proxy.held,
    [...agentSeen.flatMap((one) => holdings(one, evidence)), ...expiries(own, evidence)],
    complete,
    own,
    evidence,
  )
  return {
    agent: {held: objects.agent, loose: [], complete, lacking: objects.lacking},
    untold: objects.untold,
    remarks: objects.remarks,
    proxy: {
      held: objects.proxy,
      loose: proxy.loose,
      complete: completeSources(proxySeen),
      ...(proxySeen[0] !== undefined && {answeredBy: proxySeen[0].by.source}),
    },
    agentIsEmpty: !agentSeen.every(tellsAll),
    ...(published?.type === 'published-roots' && {published}),
    ...(expected !== undefined && {expected}),
    failures,
  }
}

/** Leaves out what an answer says of another pod: on the host's network a port may lead to a neighbour. */
function attribute({pod, observations, failures}: Evidence): {
  readonly own: readonly Observation[]
  readonly failures: readonly Failure[]
} {
  const own: Observation[] = []
  const all = [...failures]
  for (const observation of observations) {
    if (observation.type === 'unusable') all.push(observation.failure)
    else if (isOfAnotherPod(observation, pod)) all.push(wrongPod(pod, observation))
    else own.push(observation)
  }
  const unknown = unknownProxy(pod, own, all)
  return {own, failures: unknown === undefined ? all : [...all, unknown]}
}

/** An empty list of an agent may mean that it knows the pod no longer, or not yet; istiod says so in words. */
function tellsAll({items, by}: SecretsSeen): boolean {
  return items.length > 0 || by.source === 'istiod-config-dump'
}

/** A node agent speaks for many pods, item by item. */
export function isOfAnotherPod(observation: Observation, pod: PodRef): observation is SecretsSeen {
  if (observation.type !== 'secrets' || observation.by.source === 'node-agent-debug') return false
  return observation.node !== undefined && !isNodeOf(pod, observation.node)
}

function wrongPod(pod: PodRef, {by, side, node}: SecretsSeen): Failure {
  return {
    side,
    source: by.source,
    route: by.route,
    stage: 'decode',
    code: 'wrong-pod',
    message: `Cannot use the answer of ${by.source} for ${podKey(pod)}: it is of ${node?.id ?? 'another pod'}`,
    hint: 'Pods on the host network share their ports: give the port of this one with --proxy-admin-port',
  }
}

/** A node agent serves all pods of its node: only what it names exactly as this pod's is this pod's. */
function ofPod(seen: SecretsSeen, pod: PodRef): SecretsSeen {
  if (seen.by.source !== 'node-agent-debug') return seen
  const items = seen.items.filter(({destination}) => destination !== undefined && isNodeOf(pod, destination))
  return {...seen, items: newestOfEach(items)}
}

function holdings({items, by, side}: SecretsSeen, {pod, nowMs}: Evidence): readonly Held[] {
  const clockMs = clockOf(by, nowMs)
  return items.map((item) => ({item, by, clockMs, ...(side === 'agent' && {agentPod: item.agentPod ?? pod.name})}))
}

function expiries(observations: readonly Observation[], {pod, nowMs, reading}: Evidence): readonly Held[] {
  return observations.flatMap((one) =>
    one.type === 'expiry'
      ? [{item: expiryItem(one, reading), by: one.by, clockMs: clockOf(one.by, nowMs), agentPod: pod.name}]
      : [],
  )
}

/** All that the strongest source of the proxy says: a weaker one would only say it again, but for what is in use. */
function strongestSource(seen: readonly SecretsSeen[], evidence: Evidence): JoinedContexts {
  const source = (seen.find(({items}) => items.length > 0) ?? seen[0])?.by.source
  const of = (wanted: Source | undefined) =>
    seen.filter(({by}) => by.source === wanted).flatMap((one) => holdings(one, evidence))
  const hasContexts = source !== 'envoy-certs' && seen.some(({by}) => by.source === 'envoy-certs')
  return hasContexts ? joinContexts(of(source), of('envoy-certs')) : {held: of(source), loose: []}
}

/** An answer in several parts lists everything only where each part does. */
function completeSources(seen: readonly SecretsSeen[]): readonly Source[] {
  const partial = new Set(seen.filter(({complete}) => !complete).map(({by}) => by.source))
  return [...new Set(seen.map(({by}) => by.source).filter((source) => !partial.has(source)))]
}

/** The strongest source by which a secret of this name would be known, if there were one. */
export function completeFor({complete, lacking}: SideHeld, name: string): Source | undefined {
  return complete.find((source) => canSpeakFor(source, name)) ?? lacking?.get(name)
}

function mergeExpected(all: readonly IdentitiesExpected[]): IdentitiesExpected | undefined {
  const [first] = all
  return first && {...first, identities: [...new Set(all.flatMap(({identities}) => identities))]}
}
