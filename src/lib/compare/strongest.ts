import type {SecretsSeen} from '../domain/observation.ts'
import type {Source} from '../domain/question.ts'
import type {SecretItem} from '../domain/secret.ts'
import {type Held, isUsable} from './held.ts'

/** Strongest first; a source that is not named stands before `envoy-certs`, which knows no names. */
const STRENGTH: readonly Source[] = [
  'envoy-config-dump',
  'ztunnel-config-dump',
  'agent-sds',
  'node-agent-debug',
  'istiod-config-dump',
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

/** Of each secret the items of the first source that holds something readable, else of the first; strongest come first. */
export function strongestOfEach(helds: readonly Held[]): readonly Held[] {
  const kept = new Set<Held>()
  for (const group of Map.groupBy(helds, ({item}) => secretKey(item)).values()) {
    const source = (group.find(isUsable) ?? group[0])?.by.source
    for (const held of group) if (held.by.source === source) kept.add(held)
  }
  return helds.filter((held) => kept.has(held))
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
