import type {SecretItem} from '../../domain/secret.ts'
import {isRecord, type JsonRecord, textField} from '../json/narrow.ts'
import type {JsonChoice, JsonKind, JsonPath} from '../json/json-walker.ts'
import type {DocumentVisitor} from '../json/scan-json.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {InlineCertificates} from './inline-certificates.ts'
import {readSecretEntry, type SecretList} from './secret-items.ts'

/** Fields of one entry, which the `resource=` form puts straight into `configs`. */
const ENTRY_FIELDS: ReadonlySet<unknown> = new Set([
  '@type',
  'name',
  'secret',
  'version_info',
  'versionInfo',
  'last_updated',
  'lastUpdated',
  'error_state',
  'errorState',
])
const ENTRY_TYPE = /SecretsConfigDump\.(?:Dynamic|Static)Secret$/
const TLS_CONTEXTS: ReadonlySet<unknown> = new Set(['common_tls_context', 'commonTlsContext'])
const OWNERS: ReadonlySet<unknown> = new Set(['listener', 'cluster'])
/** Configurations that Envoy refused are not in use. */
const REFUSED: ReadonlySet<unknown> = new Set(['error_state', 'errorState'])

const LIST_BY_KEY: ReadonlyMap<unknown, SecretList> = new Map<string, SecretList>([
  ['static_secrets', 'static_secrets'],
  ['staticSecrets', 'static_secrets'],
  ['dynamic_active_secrets', 'dynamic_active_secrets'],
  ['dynamicActiveSecrets', 'dynamic_active_secrets'],
  ['dynamic_warming_secrets', 'dynamic_warming_secrets'],
  ['dynamicWarmingSecrets', 'dynamic_warming_secrets'],
])

/** Enough for a message. */
const MAX_OTHER_KEYS = 20

/** A listener or cluster that is being read: its name may come after its certificates. */
interface Owner {
  readonly kind: string
  readonly depth: number
  name?: string
  readonly contexts: JsonRecord[]
}

/**
 * Reads Envoy's `/config_dump` piece by piece: secrets, the node's id, and TLS contexts wherever in listeners and
 * clusters they stand. Of all else nothing is built. A secrets section may also be the whole document, as
 * `istioctl proxy-config secret -o json` prints it.
 */
export class ConfigDumpVisitor implements DocumentVisitor {
  readonly #reader: CertificateReader
  readonly #listOfEntries: SecretList | undefined
  #owners: Owner[] = []
  #entry: Record<string, unknown> = {}
  #isObject = false
  #hasSections = false

  /** Items of the secrets sections, in their order. */
  items: SecretItem[] = []
  inline: InlineCertificates
  nodeId: string | undefined
  /** Keys of the document that are none of a dump's; the first of them. */
  otherKeys: string[] = []
  /** Entries stood in `configs` themselves: the answer is of the `resource=` form. */
  hasBareEntries = false
  /** Listeners or clusters were seen, which wait for secrets. */
  hasOwners = false
  /** Secrets that were too large to be read. */
  tooLargeCount = 0

  /** `listOfEntries`: which list the entries of the `resource=` form are of, where that is known. */
  constructor(reader: CertificateReader, listOfEntries: SecretList | undefined) {
    this.#reader = reader
    this.#listOfEntries = listOfEntries
    this.inline = new InlineCertificates(reader)
  }

  /** The document has what a dump has; `{}` is one without secrets. */
  isWanted(): boolean {
    return this.#isObject && (this.#hasSections || this.otherKeys.length === 0)
  }

  choose(path: JsonPath, kind: JsonKind): JsonChoice {
    const key = path.at(-1)
    if (path.length === 0) return this.#begin(kind)
    if (path[0] !== 'configs') {
      if (path.length === 1) return this.#chooseTop(key, kind)
      return path.length === 2 && kind === 'object' ? 'keep' : 'skip'
    }
    if (path.length === 1) {
      this.#hasSections = true
      return kind === 'array' ? 'enter' : 'skip'
    }
    if (path.length === 2) {
      this.#entry = {}
      return kind === 'object' ? 'enter' : 'skip'
    }
    return path.length === 3 ? this.#chooseInSection(key, kind) : this.#chooseInside(path, key, kind)
  }

  keep(path: JsonPath, value: unknown): void {
    const key = path.at(-1)
    const list = LIST_BY_KEY.get(path.at(-2))
    if (list !== undefined) {
      if (isRecord(value)) this.items.push(...readSecretEntry(value, list, this.#reader))
    } else if (path[2] === 'bootstrap') {
      if (typeof value === 'string' && value !== '') this.nodeId = value
    } else if (path.length === 3) {
      this.#entry[String(key)] = value
    } else if (TLS_CONTEXTS.has(key)) {
      if (isRecord(value)) this.#addContext(value)
    } else {
      const owner = this.#owners.at(-1)
      if (owner !== undefined && typeof value === 'string') owner.name = value
    }
  }

  leave(path: JsonPath): void {
    const owner = this.#owners.at(-1)
    if (owner?.depth === path.length) {
      this.#owners.pop()
      for (const context of owner.contexts) this.#settle(context, owner)
    }
    if (path.length === 2 && path[0] === 'configs' && this.#isBareEntry()) this.#addEntry()
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  /** A new document begins: what an earlier one in the same text gave was none of a dump's. */
  #begin(kind: JsonKind): JsonChoice {
    this.otherKeys = []
    this.#isObject = kind === 'object'
    return kind === 'object' ? 'enter' : 'skip'
  }

  #chooseTop(key: unknown, kind: JsonKind): JsonChoice {
    if (LIST_BY_KEY.has(key)) {
      this.#hasSections = true
      return kind === 'array' ? 'enter' : 'skip'
    }
    if (key !== '@type' && this.otherKeys.length < MAX_OTHER_KEYS) this.otherKeys.push(String(key))
    return 'skip'
  }

  #chooseInSection(key: unknown, kind: JsonKind): JsonChoice {
    if (LIST_BY_KEY.has(key)) return kind === 'array' ? 'enter' : 'skip'
    if (ENTRY_FIELDS.has(key)) return 'keep'
    if (key === 'bootstrap') return kind === 'object' ? 'enter' : 'skip'
    return kind === 'scalar' ? 'skip' : 'enter'
  }

  #chooseInside(path: JsonPath, key: unknown, kind: JsonKind): JsonChoice {
    if (path.length === 4 && LIST_BY_KEY.has(path[2])) return kind === 'object' ? 'keep' : 'skip'
    if (path[2] === 'bootstrap') {
      if (path.length === 4) return key === 'node' && kind === 'object' ? 'enter' : 'skip'
      return key === 'id' && kind === 'scalar' ? 'keep' : 'skip'
    }
    if (kind === 'scalar') return key === 'name' && this.#owners.at(-1)?.depth === path.length - 1 ? 'keep' : 'skip'
    if (REFUSED.has(key)) return 'skip'
    if (kind === 'object' && TLS_CONTEXTS.has(key)) return 'keep'
    if (kind === 'object' && OWNERS.has(key)) {
      this.hasOwners = true
      this.#owners.push({kind: String(key), depth: path.length, contexts: []})
    }
    return 'enter'
  }

  #addContext(context: JsonRecord): void {
    const owner = this.#owners.at(-1)
    if (owner === undefined) this.inline.add(context, 'configuration')
    else owner.contexts.push(context)
  }

  #settle(context: JsonRecord, owner: Owner): void {
    // Something nameless inside a listener or cluster is a part of it.
    if (owner.name === undefined) this.#addContext(context)
    else this.inline.add(context, `${owner.kind} ${owner.name}`)
  }

  /** One that waits may have no `secret` at all, and is known by its type. */
  #isBareEntry(): boolean {
    return isRecord(this.#entry['secret']) || ENTRY_TYPE.test(textField(this.#entry, '@type') ?? '')
  }

  #addEntry(): void {
    this.hasBareEntries = true
    const isStatic = textField(this.#entry, '@type')?.endsWith('.StaticSecret') === true
    const list = isStatic ? 'static_secrets' : this.#listOfEntries
    this.items.push(...readSecretEntry(this.#entry, list, this.#reader))
    this.#entry = {}
  }
}
