import {readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import {load} from 'js-yaml'
import {RunError} from '../../domain/failure.ts'
import type {ConnectionOptions} from './connection-options.ts'
import {errorCode} from '../error-text.ts'
import {findKubeconfigFiles} from './kubeconfig-files.ts'
import {
  readCluster,
  readContext,
  readUser,
  type ClusterEntry,
  type ContextEntry,
  type UserEntry,
} from './kubeconfig-entries.ts'
import {fieldsOf, isFields, listOf, textOf, type Fields} from '../narrow.ts'

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
