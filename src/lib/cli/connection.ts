import type {ConnectionOptions} from '../cluster/login/connection-options.ts'
import {parseDuration} from './flags/values.ts'
import type {Io} from './io.ts'

/** kubectl's connection flags, as oclif gives them. */
export interface ConnectionFlagValues {
  readonly kubeconfig?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly cluster?: string | undefined
  readonly user?: string | undefined
  readonly token?: string | undefined
  readonly server?: string | undefined
  readonly 'certificate-authority'?: string | undefined
  readonly 'insecure-skip-tls-verify': boolean
  readonly 'tls-server-name'?: string | undefined
  readonly as?: string | undefined
  readonly 'as-group'?: readonly string[] | undefined
  readonly 'as-uid'?: string | undefined
  readonly 'request-timeout': string
}

/** Flags and process to the values that `cluster` needs. Throws RunError (usage). */
export function readConnection(flags: ConnectionFlagValues, io: Io): ConnectionOptions {
  return {
    ...given('kubeconfig', flags.kubeconfig),
    ...given('cluster', flags.cluster),
    ...given('user', flags.user),
    ...given('token', flags.token),
    ...given('server', flags.server),
    ...given('certificateAuthority', flags['certificate-authority']),
    ...given('tlsServerName', flags['tls-server-name']),
    ...given('as', flags.as),
    ...given('asUid', flags['as-uid']),
    contexts: [...new Set(flags.context)],
    asGroups: flags['as-group'] ?? [],
    requestTimeoutMs: parseDuration(flags['request-timeout'], 'request-timeout'),
    env: io.env,
    cwd: io.cwd,
    homeDir: io.homeDir,
    platform: io.platform,
    isTerminal: io.isStdinTerminal && io.isStderrTerminal,
    // Absent is not false: a kubeconfig may say it.
    ...(flags['insecure-skip-tls-verify'] && {insecureSkipTlsVerify: true}),
  }
}

/** A property only where there is a value: absent is not undefined. */
function given<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  const property: Partial<Record<string, string>> = value === undefined ? {} : {[name]: value}
  return property
}
