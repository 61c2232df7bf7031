/** Flags that open or hide something: never set from the environment. */
const NEVER_FROM_ENV = new Set([
  'exit-zero',
  'allow-incomplete',
  'insecure-skip-tls-verify',
  'now',
  'sds',
  'kubernetes-secrets',
  'accept',
])

type AnyFlag = {env?: string | undefined}

/** Lets `AGENTCTL_<FLAG>` set each flag's default. */
export function withEnv<T extends Record<string, AnyFlag>>(flags: T): T {
  for (const [name, flag] of Object.entries(flags)) {
    if (!NEVER_FROM_ENV.has(name)) flag.env = `AGENTCTL_${name.toUpperCase().replaceAll('-', '_')}`
  }
  return flags
}
