import {contentError, type Subject} from '../content-error.ts'
import {isRecord, textField} from '../json/narrow.ts'
import type {JsonChoice, JsonKind, JsonPath} from '../json/json-walker.ts'
import {type DocumentVisitor, scanJson} from '../json/scan-json.ts'

/**
 * The proxies (`pod.namespace`, each once) among istiod's connections whose name holds this text, from
 * `/debug/connections`. A connection is called after its proxy, with a number behind it (`cart-1.shop-12`). Throws
 * ProbeError where the list cannot be read to its end.
 */
export async function readConnections(subject: Subject, text: string): Promise<readonly string[]> {
  const visitor = new ConnectionsVisitor(text)
  await scanJson(subject, visitor)
  if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', 'it is no list of connections')
  return [...visitor.proxies]
}

/** Takes the list entry by entry: a large mesh has thousands. */
class ConnectionsVisitor implements DocumentVisitor {
  readonly #text: string
  #isList = false
  readonly proxies = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  isWanted(): boolean {
    return this.#isList
  }

  choose(path: JsonPath, kind: JsonKind): JsonChoice {
    if (path.length === 0) return kind === 'object' ? 'enter' : 'skip'
    if (path.length > 1) return 'keep'
    // Without any connection there is no list, only their number.
    if (path[0] === 'totalClients' || path[0] === 'clients') this.#isList = true
    return path[0] === 'clients' && kind === 'array' ? 'enter' : 'skip'
  }

  keep(_path: JsonPath, entry: unknown): void {
    const id = isRecord(entry) ? textField(entry, 'connectionId') : undefined
    if (id?.includes(this.#text) === true) this.proxies.add(id.replace(/-\d+$/, ''))
  }

  /** No entry is that large; one that is names no connection. */
  tooLarge(): void {}
}
