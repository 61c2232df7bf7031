import type {ProxySync} from '../../domain/mesh-seen.ts'
import {isRecord, type JsonRecord, textField} from '../json/narrow.ts'
import type {JsonChoice, JsonKind, JsonPath} from '../json/json-walker.ts'
import type {DocumentVisitor} from '../json/scan-json.ts'
import {readTypes} from './read-types.ts'

/** Reads istiod's `/debug/syncz` one proxy at a time: of 10,000 proxies it is 20 MB. */
export class SynczVisitor implements DocumentVisitor {
  readonly mayBeNull = true
  readonly proxies = new Map<string, ProxySync[]>()
  /** Proxies that were too large to be read. */
  tooLargeCount = 0
  #isList = false
  /** The same few texts stand at every proxy. */
  readonly #texts = new Map<string, string>()

  isWanted(): boolean {
    return this.#isList
  }

  choose(path: JsonPath, kind: JsonKind): JsonChoice {
    if (path.length > 0) return kind === 'object' ? 'keep' : 'skip'
    this.#isList = kind !== 'object'
    return kind === 'array' ? 'enter' : 'skip'
  }

  keep(_path: JsonPath, entry: unknown): void {
    const name = isRecord(entry) ? textField(entry, 'proxy') : undefined
    if (!isRecord(entry) || name === undefined) return
    const id = proxyOf(name)
    const known = this.proxies.get(id)
    if (known === undefined) this.proxies.set(id, [this.#read(entry)])
    else known.push(this.#read(entry))
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  #read(entry: JsonRecord): ProxySync {
    const version = textField(entry, 'istio_version') ?? textField(entry, 'proxy_version')
    const clusterId = textField(entry, 'cluster_id')
    const kind = textField(entry, 'proxy_type')
    return {
      ...(version !== undefined && {version: this.#once(version)}),
      ...(clusterId !== undefined && {clusterId: this.#once(clusterId)}),
      ...(kind !== undefined && {kind: this.#once(kind)}),
      types: readTypes(entry, kind === 'ztunnel'),
    }
  }

  #once(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined && this.#texts.size < MAX_TEXTS) this.#texts.set(text, text)
    return known ?? text
  }
}

const MAX_TEXTS = 1000

/** `pod.namespace`; up to mid-2018 the whole id of the node, of which it is the third part. */
function proxyOf(name: string): string {
  const parts = name.split('~')
  return parts[2] ?? name
}
