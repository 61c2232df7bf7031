import {parseNodeId} from '../domain/node-identity.ts'
import type {NodeIdentity} from '../domain/observation.ts'
import {ARRAY, type JsonPath, OBJECT} from './json-events.ts'
import type {NodeFacts} from './node-facts.ts'

const MAX_KEYS = 20
/** A masked dump has one entry for each secret, but all with the same keys. */
const MAX_SECTION_KEYS = 100

/** What the beginning of a JSON document shows of where it is from. */
export class JsonFacts {
  /** Set once anything was seen. */
  root: 'object' | 'array' | 'scalar' | undefined
  /** Keys of the document, as many as a message needs. */
  readonly keys = new Set<string>()
  /** `kind`, `metadata.name` and `metadata.namespace` of a Kubernetes object. */
  kind: string | undefined
  name: string | undefined
  namespace: string | undefined
  /** A key of `data`: `root-cert.pem`. */
  readonly dataKeys = new Set<string>()
  /** `@type` of each entry of `configs`, and of the document itself. */
  readonly types = new Set<string>()
  /** Keys of the entries of `configs`. */
  readonly sectionKeys = new Set<string>()
  /** Keys of the entries of `certificates`. */
  readonly certificateKeys = new Set<string>()

  readonly #node = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  readonly #annotations = new Map<string, string>()
  readonly #proxies = new Map<string, NodeIdentity>()

  /** Takes one value; for `JsonEvents`. */
  readonly see = (path: JsonPath, value: unknown): void => {
    const [first, second, third] = path
    if (first === undefined) this.root = value === OBJECT ? 'object' : value === ARRAY ? 'array' : 'scalar'
    else if (typeof first === 'string' && this.keys.size < MAX_KEYS) this.keys.add(first)
    if (path.length === 3 && first === 'certificates') this.certificateKeys.add(String(third))
    if (path.length === 3 && first === 'configs' && this.sectionKeys.size < MAX_SECTION_KEYS) {
      this.sectionKeys.add(String(third))
    }
    if (path.length === 2 && first === 'data') this.dataKeys.add(String(second))
    if (typeof value === 'string') this.#seeText(path, value)
  }

  /** The pods that the document names. */
  nodes(): readonly NodeFacts[] {
    const proxies = [...this.#proxies.values()].map((identity): NodeFacts => ({identity}))
    const identity = parseNodeId(this.#node.get('id') ?? '')
    return identity === undefined ? proxies : [this.#bootstrap(identity), ...proxies]
  }

  #seeText(path: JsonPath, text: string): void {
    const [first, second, third, fourth] = path
    const last = path.at(-1)
    if (path.length === 1 && first === 'kind') this.kind = text
    if (first === 'metadata' && path.length === 2 && second === 'name') this.name = text
    if (first === 'metadata' && path.length === 2 && second === 'namespace') this.namespace = text
    if (last === '@type' && (path.length === 1 || (first === 'configs' && path.length === 3))) this.types.add(text)
    if (first === 'clients' && third === 'proxy') this.#seeProxy(text)
    if (first === 'configs' && third === 'bootstrap' && fourth === 'node') this.#seeNode(path.slice(4), text)
  }

  #seeProxy(id: string): void {
    const identity = parseNodeId(id)
    if (identity !== undefined) this.#proxies.set(`${identity.namespace}/${identity.pod}`, identity)
  }

  #seeNode([first, second, third, fourth]: JsonPath, text: string): void {
    if (first === 'id' && second === undefined) this.#node.set('id', text)
    if (first !== 'metadata' || typeof second !== 'string') return
    if (third === undefined) this.#node.set(second, text)
    if (fourth !== undefined || third === undefined) return
    if (second === 'LABELS') this.#labels.set(String(third), text)
    if (second === 'ANNOTATIONS') this.#annotations.set(String(third), text)
  }

  #bootstrap(identity: NodeIdentity): NodeFacts {
    const serviceAccount = this.#node.get('SERVICE_ACCOUNT')
    const nodeName = this.#node.get('NODE_NAME')
    const version = this.#node.get('ISTIO_VERSION')
    const owner = /\/([a-z]+\/[^/]+)$/.exec(this.#node.get('OWNER') ?? '')?.[1]
    return {
      identity,
      ...(this.#labels.size > 0 && {labels: Object.fromEntries(this.#labels)}),
      ...(this.#annotations.size > 0 && {annotations: Object.fromEntries(this.#annotations)}),
      ...(serviceAccount !== undefined && {serviceAccount}),
      ...(nodeName !== undefined && {nodeName}),
      ...(version !== undefined && {version}),
      ...(owner !== undefined && {owner}),
    }
  }
}
