import {countOf} from '../../domain/count-text.ts'
import type {Finding} from '../../domain/finding.ts'
import {severityRank} from '../../domain/rank.ts'

/** Kinds of findings that are told apart; past that they are counted alone. */
const MAX_KINDS = 2000

/** Findings that say the same, wherever they were made. */
export interface SameFinding {
  readonly finding: Finding
  /** What it says, without what differs from pod to pod and says nothing. */
  readonly text: string
  readonly first: string
  places: number
}

/** Where it was found: the first place, and how many more. */
export function whereText({first, places}: SameFinding): string {
  return places === 1 ? first : `${first} and ${countOf(places - 1, 'more pod')}`
}

/** Gathers findings, the same one on several pods as one; memory grows by what differs, up to a bound. */
export class SameFindings {
  readonly #known = new Map<string, SameFinding>()
  #untold = 0

  /** The findings of one pod, or of the fleet. A pod that has the same one twice is one place. */
  take(findings: readonly Finding[], placeOf: (finding: Finding) => string): void {
    const here = new Set<string>()
    for (const finding of findings) {
      const text = finding.message.replaceAll(/ \(serial [0-9a-f-]+\)/g, '')
      const key = JSON.stringify([finding.rule, finding.severity, finding.accepted !== undefined, text])
      const place = placeOf(finding)
      const spot = JSON.stringify([key, place])
      if (here.has(spot)) continue
      here.add(spot)
      const known = this.#known.get(key)
      if (known !== undefined) known.places += 1
      else if (this.#known.size < MAX_KINDS) this.#known.set(key, {finding, text, first: place, places: 1})
      else this.#untold += 1
    }
  }

  /** Worst first, what is accepted last. */
  all(): readonly SameFinding[] {
    return [...this.#known.values()].toSorted((a, b) => rank(a) - rank(b))
  }

  /** Findings past the bound. */
  get untold(): number {
    return this.#untold
  }
}

function rank({finding: {severity, accepted}}: SameFinding): number {
  return accepted === undefined ? severityRank(severity) : Number.POSITIVE_INFINITY
}
