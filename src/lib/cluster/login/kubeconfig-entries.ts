import path from 'node:path'
import {fieldsOf, isFields, listOf, present, textOf, type Fields} from '../narrow.ts'

/** A cluster as a kubeconfig tells it; file names are absolute. */
export interface ClusterEntry {
  readonly server?: string
  readonly caFile?: string
  /** Base64 of a PEM. */
  readonly caData?: string
  readonly skipTlsVerify: boolean
  readonly tlsServerName?: string
  readonly proxyUrl?: string
  /** Handed to a login program that asks for it: the extension `client.authentication.k8s.io/exec`. */
  readonly execConfig?: unknown
}

/** A login program as a kubeconfig names it; the command is absolute where it was relative to the file. */
export interface ExecEntry {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly interactiveMode?: string
  readonly installHint?: string
  readonly provideClusterInfo: boolean
}

/** A user as a kubeconfig tells it; file names are absolute. */
export interface UserEntry {
  readonly token?: string
  readonly tokenFile?: string
  readonly certFile?: string
  readonly certData?: string
  readonly keyFile?: string
  readonly keyData?: string
  readonly username?: string
  readonly password?: string
  readonly exec?: ExecEntry
  /** `auth-provider` (oidc and the retired cloud ones), as it stands in the file. */
  readonly authProvider?: Fields
  readonly as?: string
  readonly asUid?: string
  readonly asGroups: readonly string[]
  readonly asExtra: Readonly<Record<string, readonly string[]>>
}

export interface ContextEntry {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** Reads the `cluster` of a kubeconfig entry; `folder` is that of the file. */
export function readCluster(fields: Fields, folder: string): ClusterEntry {
  const execConfig = listOf(fields['extensions']).find(
    (extension) => fieldsOf(extension)['name'] === 'client.authentication.k8s.io/exec',
  )
  return {
    ...present('server', textOf(fields['server'])),
    ...present('caFile', inFolder(folder, fields['certificate-authority'])),
    ...present('caData', textOf(fields['certificate-authority-data'])),
    skipTlsVerify: fields['insecure-skip-tls-verify'] === true,
    ...present('tlsServerName', textOf(fields['tls-server-name'])),
    ...present('proxyUrl', textOf(fields['proxy-url'])),
    ...present('execConfig', fieldsOf(execConfig)['extension']),
  }
}

/** Reads the `user` of a kubeconfig entry; `folder` is that of the file. */
export function readUser(fields: Fields, folder: string): UserEntry {
  const extra = Object.entries(fieldsOf(fields['as-user-extra'])).map(
    ([key, values]) => [key, textList(values)] as const,
  )
  return {
    ...present('token', textOf(fields['token'])),
    ...present('tokenFile', inFolder(folder, fields['tokenFile'])),
    ...present('certFile', inFolder(folder, fields['client-certificate'])),
    ...present('certData', textOf(fields['client-certificate-data'])),
    ...present('keyFile', inFolder(folder, fields['client-key'])),
    ...present('keyData', textOf(fields['client-key-data'])),
    ...present('username', textOf(fields['username'])),
    ...present('password', textOf(fields['password'])),
    ...present('exec', isFields(fields['exec']) ? readExec(fields['exec'], folder) : undefined),
    ...present('authProvider', isFields(fields['auth-provider']) ? fields['auth-provider'] : undefined),
    ...present('as', textOf(fields['as'])),
    ...present('asUid', textOf(fields['as-uid'])),
    asGroups: textList(fields['as-groups']),
    asExtra: Object.fromEntries(extra),
  }
}

function readExec(fields: Fields, folder: string): ExecEntry {
  const command = textOf(fields['command']) ?? ''
  // client-go resolves a command that holds a separator, and leaves a bare name to the PATH.
  const isPath = command.includes('/') || command.includes(path.sep)
  const env: Record<string, string> = {}
  for (const item of listOf(fields['env'])) {
    const {name, value} = fieldsOf(item)
    if (typeof name === 'string') env[name] = typeof value === 'string' ? value : ''
  }
  return {
    apiVersion: textOf(fields['apiVersion']) ?? '',
    command: isPath ? path.resolve(folder, command) : command,
    args: textList(fields['args']),
    env,
    ...present('interactiveMode', textOf(fields['interactiveMode'])),
    ...present('installHint', textOf(fields['installHint'])),
    provideClusterInfo: fields['provideClusterInfo'] === true,
  }
}

/** Reads the `context` of a kubeconfig entry. */
export function readContext(fields: Fields): ContextEntry {
  return {
    ...present('cluster', textOf(fields['cluster'])),
    ...present('user', textOf(fields['user'])),
    ...present('namespace', textOf(fields['namespace'])),
  }
}

function inFolder(folder: string, file: unknown): string | undefined {
  const name = textOf(file)
  return name === undefined ? undefined : path.resolve(folder, name)
}

function textList(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}
