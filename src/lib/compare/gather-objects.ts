import type {Observation} from '../domain/observation.ts'
import type {Source} from '../domain/question.ts'
import {otherText} from './disagreements.ts'
import type {Evidence} from './evidence.ts'
import {type Held, withNotes} from './held.ts'
import {kubernetesSecrets} from './kubernetes-secrets.ts'
import {managedSecrets} from './managed-secrets.ts'
import {canSpeakFor} from './source-scope.ts'
import {strongestOfEach} from './strongest.ts'

/** Both sides, with what objects of the Kubernetes API tell of the secrets that the proxy has. */
interface WithObjects {
  readonly agent: readonly Held[]
  readonly proxy: readonly Held[]
  readonly lacking: ReadonlyMap<string, Source>
  readonly untold: ReadonlyMap<string, string>
  /** What stands with those items, by the secret's name. */
  readonly remarks: Notes
}

/**
 * Adds what Secrets and Certificates say of the secrets that the proxy names: they do not know of proxies. What is only
 * a word on a secret stands with the agent's item, or with the proxy's where the agent has none. `agent` is what agents
 * and control planes hold, strongest first; `complete` are the sources that list all they can know.
 */
export function gatherObjects(
  proxy: readonly Held[],
  agent: readonly Held[],
  complete: readonly Source[],
  own: readonly Observation[],
  evidence: Evidence,
): WithObjects {
  const names = new Set(proxy.map(({item}) => item.name))
  const secrets = kubernetesSecrets(
    names,
    own.filter((one) => one.type === 'kubernetes-secret'),
    evidence,
  )
  const managed = managedSecrets(
    names,
    own.filter((one) => one.type === 'certificates-managed'),
    evidence,
  )
  const known = new Set(agent.map(({item}) => item.name))
  // Who serves it says what is served: that its Secret holds one does not make up for a control plane that sends none.
  const isUnserved = ({item: {name}}: Held): boolean =>
    !known.has(name) && complete.some((source) => canSpeakFor(source, name))
  const objects = [...secrets.held, ...managed.held]
  const unserved = objects.filter(isUnserved)
  const {told, otherwise} = strongestOfEach([...agent, ...objects.filter((held) => !isUnserved(held))])
  const remarks = joinNotes([
    otherwise,
    ...unserved.map((held) => new Map([[held.item.name, [otherText(held, 'one')]]])),
    managed.notes,
  ])
  const toldNames = new Set(told.map(({item}) => item.name))
  const noted = (held: Held): Held => withNotes(held, remarks.get(held.item.name) ?? [])
  return {
    agent: told.map(noted),
    proxy: proxy.map((held) => (toldNames.has(held.item.name) ? held : noted(held))),
    lacking: new Map([...secrets.lacking].map((name) => [name, 'kubernetes-secret'])),
    untold: managed.untold,
    remarks,
  }
}

type Notes = ReadonlyMap<string, readonly string[]>

function joinNotes(all: readonly Notes[]): Notes {
  const joined = new Map<string, readonly string[]>()
  for (const [name, notes] of all.flatMap((one) => [...one])) joined.set(name, [...(joined.get(name) ?? []), ...notes])
  return joined
}
