import type {PodItem} from '../domain/report.ts'
import {podKey} from '../domain/pod.ts'

/** Texts that take a line each on stderr; past that, each pod's are in the document. */
const MAX_LINES = 5

/** Rules whose findings stand in no row of a table. */
const ROWLESS = new Set(['clock-skew'])

/** What is worth a line and no fault, once for each text, however many pods say it. */
export class ItemNotes {
  readonly #first = new Map<string, string>()
  #left = 0
  readonly #withFindings: boolean

  /** `withFindings`: those that stand in no row are told too. */
  constructor(withFindings: boolean) {
    this.#withFindings = withFindings
  }

  take({pod, findings, notes = []}: PodItem): void {
    const rowless = (this.#withFindings ? findings : [])
      .filter(({rule}) => ROWLESS.has(rule))
      .map(({message}) => message)
    for (const text of [...notes, ...rowless]) {
      if (this.#first.has(text)) continue
      if (this.#first.size < MAX_LINES) this.#first.set(text, podKey(pod))
      else this.#left += 1
    }
  }

  lines(): readonly string[] {
    const lines = [...this.#first].map(([text, pod]) => `Note: ${pod}: ${text}`)
    return this.#left === 0 ? lines : [...lines, 'More notes stand with their pods: -o json shows them']
  }
}
