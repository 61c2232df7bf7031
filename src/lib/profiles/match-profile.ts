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
 * The first profile that knows the pod; `profiles` stand in order of priority. With `named` that container is the agent
 * whatever it is called: the pod's other marks tell the kind, and where it has none, the kind of lowest priority.
 */
export function matchProfile(pod: Pod, profiles: readonly Profile[], named?: string): Match | undefined {
  const lasting = pod.containers.filter(({role}) => role !== 'init')
  if (named === undefined) return scan(pod, lasting, profiles, false)
  const candidates = lasting.filter(({name}) => name === named)
  return (
    scan(pod, candidates, profiles, false) ??
    scan(pod, candidates, profiles, true, hasMarks) ??
    scan(pod, candidates, profiles.toReversed(), true)
  )
}

function scan(
  pod: Pod,
  candidates: readonly Container[],
  profiles: readonly Profile[],
  anyName: boolean,
  counts: (rule: RecognitionRule) => boolean = () => true,
): Match | undefined {
  for (const profile of profiles) {
    for (const rule of profile.recognise) {
      if (!counts(rule) || !holdsOfPod(pod, rule)) continue
      const found = findContainer(pod, candidates, rule.container, anyName)
      if (found !== undefined) return {profile, container: found, because: explain(rule, found)}
    }
  }
  return undefined
}

/** Whether a rule asks for more than a name. */
function hasMarks({labels, annotations, owner, container: {args, env, mounts}}: RecognitionRule): boolean {
  return [labels, annotations, owner, args, env, mounts].some((mark) => mark !== undefined)
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

function findContainer(
  pod: Pod,
  candidates: readonly Container[],
  condition: ContainerCondition,
  anyName: boolean,
): Container | undefined {
  const names = anyName ? undefined : namesOf(pod, condition)
  const meant = names?.flatMap((name) => candidates.find((container) => container.name === name) ?? [])
  return (meant ?? candidates).find((container) => holdsOfContainer(container, condition))
}

function namesOf(pod: Pod, {names, listedIn}: ContainerCondition): readonly string[] | undefined {
  if (names === undefined && listedIn === undefined) return undefined
  const listed = listedIn === undefined ? undefined : parseJson(own(pod.annotations, listedIn.annotation))
  const lists = listedIn?.fields.map((field) => own(listed, field)) ?? []
  return [...(names ?? []), ...lists.flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []))]
}

function holdsOfContainer(
  container: Container,
  {args, withoutArgs, env = {}, mounts = []}: ContainerCondition,
): boolean {
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
export function holdAll(
  conditions: Readonly<Record<string, Condition>>,
  values: Readonly<Record<string, string>>,
): boolean {
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
