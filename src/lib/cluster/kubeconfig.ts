import {readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import {load} from 'js-yaml'
import {RunError} from '../domain/failure.ts'
import type {ConnectionOptions} from './connection-options.ts'
import {errorCode} from './error-text.ts'
import {findKubeconfigFiles} from './kubeconfig-files.ts'
import {fieldsOf, isFields, listOf, present, textOf, type Fields} from './narrow.ts'

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

/** All kubeconfig files, merged. */
export interface Kubeconfig {
  readonly currentContext?: string
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
  readonly contexts: ReadonlyMap<string, ContextEntry>
  /** Files that were there and were read. */
  readonly files: readonly string[]
  /** Files that were looked for in vain. */
  readonly missing: readonly string[]
}

const MAX_FILE_BYTES = 16 * 1024 * 1024

/**
 * Reads and merges the kubeconfig files by client-go's rules: the first to set a value or to name an entry wins,
 * files that are absent are passed over, file names are relative to the file they stand in.
 * Throws RunError (exit 4) for a file that cannot be read or is no kubeconfig, and for an absent `--kubeconfig`.
 */
export function loadKubeconfig(options: ConnectionOptions): Kubeconfig {
  const files = findKubeconfigFiles(options, isThere)
  const merged = {
    clusters: new Map<string, ClusterEntry>(),
    users: new Map<string, UserEntry>(),
    contexts: new Map<string, ContextEntry>(),
    files: [] as string[],
    missing: [] as string[],
  }
  let currentContext: string | undefined
  for (const file of files.paths) {
    const config = readConfig(file, files.required)
    if (config === undefined) {
      merged.missing.push(file)
      continue
    }
    merged.files.push(file)
    currentContext ??= textOf(config['current-context'])
    const folder = path.dirname(file)
    keepFirst(merged.clusters, config['clusters'], 'cluster', (fields) => readCluster(fields, folder))
    keepFirst(merged.users, config['users'], 'user', (fields) => readUser(fields, folder))
    keepFirst(merged.contexts, config['contexts'], 'context', readContext)
  }
  return {...merged, ...(currentContext === undefined ? {} : {currentContext})}
}

function isThere(file: string): boolean {
  return statSync(file, {throwIfNoEntry: false}) !== undefined
}

function readConfig(file: string, required: boolean): Fields | undefined {
  let text: string
  try {
    const stat = statSync(file)
    if (stat.isDirectory()) throw badFile(file, 'it is a directory')
    if (stat.size > MAX_FILE_BYTES) throw badFile(file, 'it is larger than 16 MiB')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof RunError) throw error
    const code = errorCode(error)
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !required) return undefined
    throw badFile(file, code === 'ENOENT' ? 'there is no such file' : `reading it failed with ${code}`, error)
  }
  let config: unknown
  try {
    config = text.trim() === '' ? {} : load(text)
  } catch (error) {
    // The parser's own message quotes the lines around the fault, which may hold a token.
    throw badFile(file, `it is not valid YAML${lineOf(error)}`)
  }
  if (config === null || config === undefined) return {}
  if (!isFields(config)) throw badFile(file, 'it is not a kubeconfig')
  return config
}

function lineOf(error: unknown): string {
  const mark = fieldsOf(fieldsOf(error)['mark'])
  return typeof mark['line'] === 'number' ? ` (line ${mark['line'] + 1})` : ''
}

function badFile(file: string, why: string, cause?: unknown): RunError {
  return new RunError(4, 'bad-kubeconfig', `Cannot read the kubeconfig ${file}: ${why}`, [], {cause})
}

function keepFirst<Entry>(
  entries: Map<string, Entry>,
  list: unknown,
  key: string,
  read: (fields: Fields) => Entry,
): void {
  for (const item of listOf(list)) {
    const fields = fieldsOf(item)
    const name = textOf(fields['name'])
    if (name !== undefined && !entries.has(name)) entries.set(name, read(fieldsOf(fields[key])))
  }
}

function readCluster(fields: Fields, folder: string): ClusterEntry {
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

function readUser(fields: Fields, folder: string): UserEntry {
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

function readContext(fields: Fields): ContextEntry {
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
