import type {Finding} from '../domain/finding.ts'
import type {PodRef} from '../domain/pod.ts'
import {acceptedBy, entryFor} from '../judge/accepted-findings.ts'
import type {Accepted} from '../judge/check-policy.ts'
import type {FileEntry} from './accept-file.ts'

/** Entries that are told one by one; past that only their number is. */
const MAX_LINES = 5

/** The findings that a file accepts, and which of its entries were of use. */
export class Acceptances {
  readonly #entries: readonly FileEntry[]
  readonly #path: string
  readonly #nowMs: () => number
  readonly #used = new Set<FileEntry>()

  constructor(path: string, entries: readonly FileEntry[], nowMs: () => number) {
    this.#path = path
    this.#entries = entries
    this.#nowMs = nowMs
  }

  /**
   * What is made of a finding; undefined where nobody accepted it. A pod names its context only where there are
   * several: `only` is that of all others.
   */
  accept(finding: Finding, pod: PodRef | undefined, only: string | undefined): Accepted | undefined {
    const entry = entryFor(this.#entries, finding, pod && {...(only !== undefined && {context: only}), ...pod})
    if (entry === undefined) return undefined
    this.#used.add(entry)
    return acceptedBy(entry, this.#nowMs())
  }

  /** A line for each entry that nothing was found for: what it was for may be mended. */
  unusedLines(): readonly string[] {
    const unused = this.#entries.filter((entry) => !this.#used.has(entry))
    const lines = unused.slice(0, MAX_LINES).map(({line, rule}) => `Nothing to accept: ${this.#path}:${line} (${rule})`)
    const untold = unused.length - lines.length
    return untold === 0 ? lines : [...lines, `Nothing to accept for ${untold} more entries of ${this.#path}`]
  }
}
