import {load} from 'js-yaml'
import * as z from 'zod'
import {RunError} from '../domain/failure.ts'
import {type Profile, profileSchema} from './profile-schema.ts'

/** A profile as it is written: `name` for messages, the text in YAML. */
export interface ProfileFile {
  readonly name: string
  readonly text: string
}

/**
 * Reads kinds of agents from YAML, highest priority first. A file that `extends` another kind, of these files or of
 * `known`, takes from it every top-level key that it does not write itself. Throws RunError (2) for a file that is no
 * profile, and for two of one name.
 */
export function parseProfiles(files: readonly ProfileFile[], known: readonly Profile[] = []): readonly Profile[] {
  const written = new Map<string, Written>()
  for (const file of files) {
    const entry = readFile(file)
    const before = written.get(entry.kind)
    if (before !== undefined) throw invalid(file.name, `kind ${entry.kind} is also defined by ${before.file}`)
    written.set(entry.kind, entry)
  }
  const whole = new Map<string, object>(known.map((profile) => [profile.name, profile]))
  const profiles = [...written.values()].map((entry) => validate(entry.file, complete(entry, written, whole, [])))
  return profiles.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
}

interface Written {
  readonly file: string
  readonly kind: string
  readonly base?: string
  readonly keys: Readonly<Record<string, unknown>>
}

const head = z.looseObject({name: z.string(), extends: z.string().optional()})

function readFile(file: ProfileFile): Written {
  const {extends: base, ...keys} = check(head, file.name, loadYaml(file))
  return {file: file.name, kind: keys.name, keys, ...(base !== undefined && {base})}
}

function loadYaml({name, text}: ProfileFile): unknown {
  try {
    return load(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw invalid(name, error.message.split('\n', 1).join(''), error)
  }
}

function complete(
  {file, kind, base, keys}: Written,
  written: ReadonlyMap<string, Written>,
  known: ReadonlyMap<string, object>,
  path: readonly string[],
): object {
  if (base === undefined) return keys
  if (path.includes(kind)) throw invalid(file, `kind ${kind} extends itself`)
  const next = written.get(base)
  if (next !== undefined && next.kind !== kind) {
    return {...complete(next, written, known, [...path, kind]), ...keys}
  }
  const whole = known.get(base)
  if (whole === undefined) throw invalid(file, `extends ${base}, which is no kind of agent`)
  return {...whole, ...keys}
}

function validate(file: string, value: object): Profile {
  return check(profileSchema, file, value)
}

function check<T>(schema: z.ZodType<T>, file: string, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw invalid(file, `${where}${issue?.message ?? 'not a profile'}`)
}

function invalid(file: string, problem: string, cause?: Error): RunError {
  const hint = 'Compare it with a built-in kind of agent'
  return new RunError(2, 'profile', `Cannot use profile ${file}: ${problem}`, [hint], {cause})
}
