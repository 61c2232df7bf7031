import {isRecord, type JsonRecord} from '../json/narrow.ts'
import type {JsonChoice, JsonKind, JsonPath} from '../json/json-walker.ts'
import type {DocumentVisitor} from '../json/scan-json.ts'

const SECTIONS: ReadonlySet<unknown> = new Set(['certificates', 'workloads', 'workloadState', 'workload_state'])
const WORKLOAD_STATES: ReadonlySet<unknown> = new Set(['workloadState', 'workload_state'])

/** Enough for a message. */
const MAX_OTHER_KEYS = 20

/**
 * Reads ztunnel's `/config_dump` piece by piece: its certificates, and who it serves. Lists may be arrays or maps. The
 * list of certificates may be the whole document, as `istioctl ztunnel-config certificates -o json` prints it.
 */
export class ZtunnelVisitor implements DocumentVisitor {
  readonly #takeCertificate: (certificate: JsonRecord) => void
  /** `info` of the workloads that this ztunnel serves now. */
  readonly served: JsonRecord[] = []
  /** The dump says whom it serves; older ones do not. */
  saysServed = false
  /** Workloads of the whole mesh that are reached through ztunnels. */
  hboneWorkloads = 0
  otherKeys: string[] = []
  tooLargeCount = 0
  #hasSections = false

  constructor(takeCertificate: (certificate: JsonRecord) => void) {
    this.#takeCertificate = takeCertificate
  }

  isWanted(): boolean {
    return this.#hasSections
  }

  choose(path: JsonPath, kind: JsonKind): JsonChoice {
    const [section] = path
    const isList = typeof section === 'number'
    if (path.length === 0) {
      this.otherKeys = []
      this.#hasSections = kind === 'array'
      return kind === 'scalar' ? 'skip' : 'enter'
    }
    if (isList) return kind === 'object' ? 'keep' : 'skip'
    if (path.length === 1) return this.#chooseSection(section, kind)
    if (path.length === 2) return kind === 'object' ? (section === 'certificates' ? 'keep' : 'enter') : 'skip'
    if (section === 'workloads') return path[2] === 'protocol' && path.length === 3 ? 'keep' : 'skip'
    return path[2] === 'info' && path.length === 3 && kind === 'object' ? 'keep' : 'skip'
  }

  keep(path: JsonPath, value: unknown): void {
    const [section] = path
    if (section === 'workloads') {
      if (value === 'HBONE') this.hboneWorkloads += 1
    } else if (isRecord(value)) {
      if (WORKLOAD_STATES.has(section)) this.served.push(value)
      else this.#takeCertificate(value)
    }
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  #chooseSection(section: unknown, kind: JsonKind): JsonChoice {
    if (!SECTIONS.has(section)) {
      if (this.otherKeys.length < MAX_OTHER_KEYS) this.otherKeys.push(String(section))
      return 'skip'
    }
    this.#hasSections = true
    if (WORKLOAD_STATES.has(section) && kind !== 'scalar') this.saysServed = true
    return kind === 'scalar' ? 'skip' : 'enter'
  }
}
