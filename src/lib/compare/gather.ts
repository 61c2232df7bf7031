import type {Failure} from '../domain/failure.ts'
import type {ExpirySeen, IdentitiesExpected, Observation, PublishedRoots, SecretsSeen} from '../domain/observation.ts'
import {podKey, type PodRef} from '../domain/pod.ts'
import type {Side, Source} from '../domain/question.ts'
import type {SecretItem} from '../domain/secret.ts'
import type {Evidence} from './evidence.ts'
import {clockOf, type Held, isUsable} from './held.ts'
import {isNodeOf} from './node-identity.ts'
import {WORKLOAD_SECRET} from './source-scope.ts'

/** What one side holds, by its strongest sources. */
export interface SideHeld {
  readonly held: readonly Held[]
  /** Sources that answered for this pod, whatever they hold. */
  readonly answered: readonly Source[]
  /** The source that lists every secret of the side; absent where none does. */
  readonly completeBy?: Source
}

/** The evidence of one pod, sorted: what is another pod's is out, and of each secret the strongest source is left. */
export interface Gathered {
  readonly agent: SideHeld
  readonly proxy: SideHeld
  /** A node agent answered and lists nothing of this pod. */
  readonly agentIsEmpty: boolean
  readonly published?: PublishedRoots
  readonly expected?: IdentitiesExpected
  readonly failures: readonly Failure[]
}

/** Strongest first; a source that is not named stands before `envoy-certs`, which knows no names. */
const STRENGTH: readonly Source[] = ['envoy-config-dump', 'ztunnel-config-dump', 'node-agent-debug', 'agent-files']

/** Sorts the evidence of a pod. Failures are those given, those of parts of answers, and answers of another pod. */
export function gather(evidence: Evidence): Gathered {
  const {observations, failures} = ownObservations(evidence)
  const seen = observations.filter((one) => one.type === 'secrets').toSorted(byStrength)
  const agentSeen = seen.filter(({side}) => side === 'agent').map((one) => ofPod(one, evidence.pod))
  const proxySeen = seen.filter(({side}) => side === 'proxy')
  const expiries = observations.filter((one) => one.type === 'expiry')
  const published = observations.find((one) => one.type === 'published-roots')
  const expected = mergeExpected(observations.filter((one) => one.type === 'identities-expected'))
  const agentHeld = [...agentSeen.flatMap((one) => holdings(one, evidence)), ...expiries.map((one) => asHeld(one, evidence))]
  return {
    agent: sideHeld(strongestByName(agentHeld), [...agentSeen, ...expiries], agentSeen),
    proxy: sideHeld(strongestSource(proxySeen, evidence), proxySeen, proxySeen),
    agentIsEmpty: agentHeld.length === 0 && agentSeen.some(({complete}) => complete),
    ...(published !== undefined && published.roots.length > 0 && {published}),
    ...(expected !== undefined && {expected}),
    failures,
  }
}

/** Leaves out what an answer says of another pod: on the host's network a port may lead to a neighbour. */
function ownObservations({pod, observations, failures}: Evidence): {
  readonly observations: readonly Observation[]
  readonly failures: readonly Failure[]
} {
  const own: Observation[] = []
  const all = [...failures]
  for (const observation of observations) {
    if (observation.type === 'unusable') all.push(observation.failure)
    else if (observation.type === 'secrets' && observation.node !== undefined && !isNodeOf(pod, observation.node))
      all.push(wrongPod(pod, observation, observation.node.id))
    else own.push(observation)
  }
  return {observations: own, failures: all}
}

function wrongPod(pod: PodRef, {by, side}: SecretsSeen, node: string): Failure {
  return {
    side,
    source: by.source,
    route: by.route,
    stage: 'decode',
    code: 'wrong-pod',
    message: `Cannot use the ${by.source} answer for ${podKey(pod)}: it is of node ${node}`,
    hint: 'Pods on the host network share their ports: give the port of this one with --proxy-admin-port',
  }
}

/** A node agent serves all pods of its node; only what it names exactly as this pod's is this pod's. */
function ofPod(seen: SecretsSeen, pod: PodRef): SecretsSeen {
  if (seen.by.source !== 'node-agent-debug') return seen
  const items = seen.items.filter(({destination}) => destination !== undefined && isNodeOf(pod, destination))
  return {...seen, items: newestOfEach(items)}
}

/** Entries of closed streams stay until the agent cleans up (default every 5 min), so duplicates are normal there. */
function newestOfEach(items: readonly SecretItem[]): readonly SecretItem[] {
  const newest = new Map<string, SecretItem>()
  for (const item of items) {
    const known = newest.get(nameKey(item))
    if (known === undefined || (item.createdMs ?? -Infinity) >= (known.createdMs ?? -Infinity))
      newest.set(nameKey(item), item)
  }
  return [...newest.values()]
}

function holdings(seen: SecretsSeen, {pod, nowMs}: Evidence): readonly Held[] {
  const clockMs = clockOf(seen.by, nowMs)
  return seen.items.map((item) => ({
    item,
    by: seen.by,
    clockMs,
    ...(seen.side === 'agent' && {agentPod: item.agentPod ?? pod.name}),
  }))
}

/** An expiry is the agent's certificate of which nothing else is known. */
function asHeld({by, name, notAfterMs, countedFrom}: ExpirySeen, {pod, nowMs, reading}: Evidence): Held {
  return {
    by,
    clockMs: clockOf(by, nowMs),
    agentPod: pod.name,
    item: {
      name,
      type: 'Cert Chain',
      certificates: [
        {
          readable: true,
          notAfterMs,
          subject: '',
          issuer: '',
          sans: [],
          spiffeIds: [],
          isCa: false,
          selfSigned: false,
          key: {type: 'unknown'},
          position: 'leaf',
        },
      ],
      keyFound: false,
      notes: reading === 'files' ? [`expiry counted from ${countedFrom}`] : [],
    },
  }
}

/** Of each name the items of the strongest source that holds something readable, else of the strongest. */
function strongestByName(helds: readonly Held[]): readonly Held[] {
  const byName = Map.groupBy(helds, ({item}) => nameKey(item))
  const kept = new Set<Held>()
  for (const group of byName.values()) {
    const source = (group.find(isUsable) ?? group[0])?.by.source
    for (const held of group) if (held.by.source === source) kept.add(held)
  }
  return helds.filter((held) => kept.has(held))
}

/** All that the strongest proxy source says; a weaker one would say it again. */
function strongestSource(seen: readonly SecretsSeen[], evidence: Evidence): readonly Held[] {
  const source = (seen.find(({complete}) => complete) ?? seen[0])?.by.source
  return seen.filter(({by}) => by.source === source).flatMap((one) => holdings(one, evidence))
}

function sideHeld(
  held: readonly Held[],
  answers: readonly (SecretsSeen | ExpirySeen)[],
  lists: readonly SecretsSeen[],
): SideHeld {
  const complete = lists.find(({complete, by}) => complete && lists.every((one) => one.complete || one.by.source !== by.source))
  return {
    held,
    answered: answers.map(({by}) => by.source),
    ...(complete !== undefined && {completeBy: complete.by.source}),
  }
}

function mergeExpected(all: readonly IdentitiesExpected[]): IdentitiesExpected | undefined {
  const [first] = all
  return first && {...first, identities: [...new Set(all.flatMap(({identities}) => identities))]}
}

function byStrength(a: SecretsSeen, b: SecretsSeen): number {
  return strength(a.by.source) - strength(b.by.source)
}

function strength(source: Source): number {
  if (source === 'envoy-certs') return STRENGTH.length + 1
  const place = STRENGTH.indexOf(source)
  return place === -1 ? STRENGTH.length : place
}

function nameKey({name, trustDomain}: SecretItem): string {
  return `${trustDomain ?? ''}\n${name}`
}

/** Keeps what `--secret` chose. */
export function isChosen(name: string, {secretNames}: Evidence): boolean {
  return secretNames === undefined || secretNames.includes(name)
}

/** The workload's own certificate as the proxy uses it; tells when the pod renews. */
export function workloadLeaf({proxy}: Gathered): Held | undefined {
  return proxy.held.find(({item}) => item.name === WORKLOAD_SECRET && item.state !== 'WARMING')
}

/** The first failure on a side that explains why a secret of this name could not be seen. */
export function failureFor(side: Side, name: string, explains: (failure: Failure, name: string) => boolean, {failures}: Gathered): Failure | undefined {
  return failures.find((failure) => explains(failure, name))
}
