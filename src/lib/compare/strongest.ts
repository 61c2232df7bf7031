import type {SecretsSeen} from '../domain/observation.ts'
import type {Source} from '../domain/question.ts'
import type {SecretItem} from '../domain/secret.ts'
import {disagreements} from './disagreements.ts'
import {type Held, isUsable} from './held.ts'

/** Strongest first; a source that is not named stands before `envoy-certs`, which knows no names. */
const STRENGTH: readonly Source[] = [
  'envoy-config-dump',
  'ztunnel-config-dump',
  'agent-sds',
  'node-agent-debug',
  'istiod-config-dump',
  'kubernetes-secret',
  'agent-files',
]

export function byStrength(a: SecretsSeen, b: SecretsSeen): number {
  return strength(a.by.source) - strength(b.by.source)
}

function strength(source: Source): number {
  if (source === 'envoy-certs') return STRENGTH.length + 1
  const place = STRENGTH.indexOf(source)
  return place === -1 ? STRENGTH.length : place
}

/** What makes two items of one side the same secret: a name, and a trust domain where there is one. */
function secretKey({name, trustDomain}: SecretItem): string {
  return `${trustDomain ?? ''}\n${name}`
}

/** The items by which secrets are told, and what other sources say of a secret otherwise, by its name. */
interface Strongest {
  readonly told: readonly Held[]
  readonly otherwise: ReadonlyMap<string, readonly string[]>
}

/**
 * Of each secret the items of the first source that holds something readable, else of the first; strongest come first.
 * A key in place of a certificate counts whoever holds it.
 */
export function strongestOfEach(helds: readonly Held[]): Strongest {
  const kept = new Map<Held, Held>()
  const otherwise = new Map<string, readonly string[]>()
  for (const group of Map.groupBy(helds, ({item}) => secretKey(item)).values()) {
    const [first] = group
    const source = (group.find(isUsable) ?? first)?.by.source
    const told = group.filter(({by}) => by.source === source)
    const others = group.filter(({by}) => by.source !== source)
    const keyFound = group.some(({item}) => item.keyFound)
    for (const held of told) kept.set(held, keyFound ? {...held, item: {...held.item, keyFound}} : held)
    const notes = disagreements(told, others)
    if (first !== undefined && notes.length > 0) {
      otherwise.set(first.item.name, [...(otherwise.get(first.item.name) ?? []), ...notes])
    }
  }
  return {told: helds.flatMap((held) => kept.get(held) ?? []), otherwise}
}

/** Entries of closed streams stay until a node agent cleans up (every 5 min by default), so duplicates are normal. */
export function newestOfEach(items: readonly SecretItem[]): readonly SecretItem[] {
  const newest = new Map<string, SecretItem>()
  for (const item of items) {
    const known = newest.get(secretKey(item))
    if (known === undefined || createdMs(item) >= createdMs(known)) newest.set(secretKey(item), item)
  }
  return [...newest.values()]
}

function createdMs(item: SecretItem): number {
  return item.createdMs ?? -Infinity
}
