import type {SecretItem} from '../../domain/secret.ts'
import {readSecretEntry} from '../envoy/secret-items.ts'
import {isRecord, textField} from '../json/narrow.ts'
import type {JsonChoice, JsonKind, JsonPath} from '../json/json-walker.ts'
import type {DocumentVisitor} from '../json/scan-json.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'

/** Fields of a secret itself, which `types=sds` puts straight into `configs` (istio `pilot/pkg/xds/debug.go`). */
const SECRET_FIELDS: ReadonlySet<unknown> = new Set([
  '@type',
  'name',
  'tlsCertificate',
  'validationContext',
  'sessionTicketKeys',
  'genericSecret',
])
/** The list in the untyped dump's section; istiod sends all that it has, so there is no other. */
const SECRETS = 'dynamicActiveSecrets'
const SECRET_TYPE = /\.tls\.v\d\w*\.Secret$/

/** Reads the secrets of istiod's `/debug/config_dump`, typed or not, piece by piece; of all else nothing is built. */
export class IstiodDumpVisitor implements DocumentVisitor {
  readonly #reader: CertificateReader
  #secret: Record<string, unknown> = {}
  #isObject = false
  #hasConfigs = false
  #otherKeys = 0

  items: SecretItem[] = []
  /** Secrets that were too large to be read. */
  tooLargeCount = 0

  constructor(reader: CertificateReader) {
    this.#reader = reader
  }

  /** `{}` is a dump without secrets. */
  isWanted(): boolean {
    return this.#isObject && (this.#hasConfigs || this.#otherKeys === 0)
  }

  choose(path: JsonPath, kind: JsonKind): JsonChoice {
    const key = path.at(-1)
    switch (path.length) {
      case 0:
        this.#isObject = kind === 'object'
        this.#otherKeys = 0
        return kind === 'object' ? 'enter' : 'skip'
      case 1:
        if (key === 'configs') this.#hasConfigs = true
        else this.#otherKeys += 1
        return key === 'configs' && kind === 'array' ? 'enter' : 'skip'
      case 2:
        this.#secret = {}
        return kind === 'object' ? 'enter' : 'skip'
      case 3:
        if (key === SECRETS) return kind === 'array' ? 'enter' : 'skip'
        return SECRET_FIELDS.has(key) ? 'keep' : 'skip'
      default:
        return kind === 'object' ? 'keep' : 'skip'
    }
  }

  keep(path: JsonPath, value: unknown): void {
    if (path.length === 3) this.#secret[String(path[2])] = value
    // An entry has no name of its own; its secret has.
    else if (isRecord(value)) this.#add(value)
  }

  leave(path: JsonPath): void {
    if (path.length === 2 && SECRET_TYPE.test(textField(this.#secret, '@type') ?? '')) this.#add({secret: this.#secret})
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  #add(entry: Readonly<Record<string, unknown>>): void {
    // What a proxy makes of it is the proxy's to say.
    for (const {state: _, ...item} of readSecretEntry(entry, 'dynamic_active_secrets', this.#reader))
      this.items.push(item)
  }
}
