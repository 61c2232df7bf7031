import type {Container, Pod} from '../domain/pod.ts'
import {own, parseJson} from './parse-json.ts'
import type {Condition, ContainerCondition, Profile, RecognitionRule} from './profile-schema.ts'

/** Which kind a pod is, why, and which of its containers is the agent. */
export interface Match {
  readonly profile: Profile
  readonly container: Container
  readonly because: string
}

/**
 * The first profile that knows the pod; `profiles` stand in order of priority. `container` names the agent's container
 * instead of the names that the profiles know; their other conditions still hold.
 */
export function matchProfile(pod: Pod, profiles: readonly Profile[], container?: string): Match | undefined {
  for (const profile of profiles) {
    for (const rule of profile.recognise) {
      const found = holdsOfPod(pod, rule) ? findContainer(pod, rule.container, container) : undefined
      if (found !== undefined) return {profile, container: found, because: explain(rule, found)}
    }
  }
  return undefined
}

function explain(rule: RecognitionRule, container: Container): string {
  const because = rule.because.replaceAll('{container}', () => container.name)
  return container.role === 'sidecar' ? `${because} (native sidecar)` : because
}

function holdsOfPod(pod: Pod, {labels = {}, annotations = {}, owner}: RecognitionRule): boolean {
  return (
    holdAll(labels, pod.labels) &&
    holdAll(annotations, pod.annotations) &&
    (owner === undefined ||
      pod.owners.some(
        ({kind, name}) =>
          (owner.kind === undefined || owner.kind === kind) && (owner.name === undefined || holds(owner.name, name)),
      ))
  )
}

function findContainer(pod: Pod, condition: ContainerCondition, named: string | undefined): Container | undefined {
  const names = named === undefined ? namesOf(pod, condition) : [named]
  const lasting = pod.containers.filter(({role}) => role !== 'init')
  const candidates =
    names === undefined ? lasting : names.flatMap((name) => lasting.find((container) => container.name === name) ?? [])
  return candidates.find((container) => holdsOfContainer(container, condition))
}

function namesOf(pod: Pod, {names, listedIn}: ContainerCondition): readonly string[] | undefined {
  if (names === undefined && listedIn === undefined) return undefined
  const listed = listedIn === undefined ? undefined : parseJson(own(pod.annotations, listedIn.annotation))
  const lists = listedIn?.fields.map((field) => own(listed, field)) ?? []
  return [...(names ?? []), ...lists.flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []))]
}

function holdsOfContainer(container: Container, {args, withoutArgs, env = {}, mounts = []}: ContainerCondition): boolean {
  return (
    (args === undefined || beginsWith(container, args)) &&
    (withoutArgs === undefined || !beginsWith(container, withoutArgs)) &&
    holdAll(env, container.env) &&
    mounts.every((volume) => container.mounts.some(({name}) => name === volume))
  )
}

/** A program may stand in the command or be the image's own, so the command counts with and without its first word. */
function beginsWith({command, args}: Container, prefix: readonly string[]): boolean {
  const words = [...command.slice(1), ...args]
  return prefix.every((word, index) => words[index] === word)
}

/** Whether all conditions hold of the values of those names. */
export function holdAll(conditions: Readonly<Record<string, Condition>>, values: Readonly<Record<string, string>>): boolean {
  return Object.entries(conditions).every(([name, condition]) => holds(condition, own(values, name)))
}

/** Whether a condition holds of a value, `undefined` where there is none. */
export function holds(condition: Condition, value: string | undefined): boolean {
  if (typeof condition === 'string') return value === condition
  if ('exists' in condition) return (value !== undefined) === condition.exists
  if (value === undefined) return false
  if ('oneOf' in condition) return condition.oneOf.includes(value)
  if ('noneOf' in condition) return !condition.noneOf.includes(value)
  if ('prefix' in condition) return value.startsWith(condition.prefix)
  return listOf(value).includes(condition.lists)
}

function listOf(value: string): readonly string[] {
  const list = parseJson(value)
  return Array.isArray(list) ? list.filter(isText) : value.split(',').map((item) => item.trim())
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
