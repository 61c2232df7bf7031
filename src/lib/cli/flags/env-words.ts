import {CLUSTER_FLAGS} from '../cluster-flags.ts'

/** What of a flag decides how its variable is read. */
interface EnvFlag {
  readonly type: 'boolean' | 'option'
  readonly env?: string | undefined
  readonly allowNo?: boolean | undefined
}

/** What a default gives way to, where the user names it: both together are a usage error. */
const GIVES_WAY: Readonly<Record<string, readonly string[]>> = {
  namespace: ['all-namespaces'],
  'all-namespaces': ['namespace', 'target'],
  selector: ['target'],
  ...Object.fromEntries(CLUSTER_FLAGS.map((name) => [name, ['file']])),
}

const TRUE = new Set(['1', 'true', 'yes', 'y', 'on'])

/**
 * Defaults from the environment as words of a command line: a value that a flag would not take fails as if it had been
 * typed. `given` are the flags and arguments that were typed. An empty variable says nothing.
 */
export function envWords(
  flags: Readonly<Record<string, EnvFlag>>,
  env: Readonly<Record<string, string | undefined>>,
  given: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(flags).flatMap(([name, flag]) => {
    const value = flag.env === undefined ? undefined : env[flag.env]
    if (value === undefined || value === '' || given.has(name)) return []
    if (GIVES_WAY[name]?.some((other) => given.has(other)) === true) return []
    if (flag.type === 'option') return [`--${name}=${value}`]
    if (TRUE.has(value.toLowerCase())) return [`--${name}`]
    return flag.allowNo === true ? [`--no-${name}`] : []
  })
}
