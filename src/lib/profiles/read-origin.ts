import {load, YAMLException} from 'js-yaml'
import type {Container, Pod} from '../domain/pod.ts'
import {own} from './parse-json.ts'
import type {Origin} from './profile-schema.ts'

/** What a pod says of itself at one place. */
export type Said =
  | {readonly value: string; readonly where: string}
  /** It stands there, and cannot be read. */
  | {readonly problem: string; readonly where: string}

/** Reads one place; `undefined` where the pod says nothing there. */
export function readOrigin(pod: Pod, container: Container, origin: Origin): Said | undefined {
  if ('arg' in origin) return readArgument(container, origin.arg)
  if ('label' in origin) return say(own(pod.labels, origin.label), `Label ${origin.label}`)
  const isAnnotation = 'annotation' in origin
  const where = isAnnotation ? `Annotation ${origin.annotation}` : `Variable ${origin.env}`
  const text = isAnnotation ? own(pod.annotations, origin.annotation) : own(container.env, origin.env)
  if (text === undefined || text.trim() === '') return undefined
  if (origin.fields === undefined) return say(text, where)
  return readField(text, origin.format ?? 'json', origin.fields, where)
}

/** The first place that says something readable. Problems on the way are handed to `report`. */
export function readOrigins(
  pod: Pod,
  container: Container,
  origins: readonly Origin[],
  report: (problem: string) => void,
): Extract<Said, {value: string}> | undefined {
  for (const origin of origins) {
    const said = readOrigin(pod, container, origin)
    if (said === undefined) continue
    if ('value' in said) return said
    report(`${said.where} ${said.problem}`)
  }
  return undefined
}

function say(value: string | undefined, where: string): Said | undefined {
  return value === undefined || value.trim() === '' ? undefined : {value: value.trim(), where}
}

/** `--flag value` or `--flag=value`; a shell text such as `sh -c "agent --flag=value"` counts as its words. */
function readArgument({command, args}: Container, flag: string): Said | undefined {
  const words = [...command, ...args].flatMap((word) => word.split(/\s+/))
  const where = `Argument ${flag}`
  for (const [index, word] of words.entries()) {
    if (word === flag) return say(words[index + 1], where)
    if (word.startsWith(`${flag}=`)) return say(word.slice(flag.length + 1), where)
  }
  return undefined
}

function readField(text: string, format: 'json' | 'yaml', fields: readonly string[], where: string): Said | undefined {
  let document: unknown
  try {
    document = format === 'json' ? JSON.parse(text) : load(text)
  } catch (error) {
    if (error instanceof YAMLException) return {problem: `cannot be read as YAML: ${yamlProblem(error)}`, where}
    // What JSON.parse says quotes the text, which may hold what must not be shown.
    if (error instanceof SyntaxError) return {problem: 'cannot be read as JSON', where}
    throw error
  }
  const field = fields.find((name) => (own(document, name) ?? undefined) !== undefined)
  if (field === undefined) return undefined
  const value = own(document, field)
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar
    ? say(String(value), `${where}: ${field}`)
    : {problem: 'is neither text nor number', where: `${where}: ${field}`}
}

function yamlProblem({reason, mark}: YAMLException): string {
  return mark === undefined ? reason : `${reason} (line ${mark.line + 1})`
}
