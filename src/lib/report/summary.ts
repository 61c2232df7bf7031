import {countOf, countText} from '../domain/count-text.ts'
import type {PodItem, ReportEvent, Verdict} from '../domain/report.ts'
import type {ComparedBy} from '../domain/row.ts'
import type {View} from './view.ts'
import type {SummaryWire} from './wire/document.schema.ts'

const NO_VERDICTS: Readonly<Record<Verdict, number>> = {pass: 0, warn: 0, fail: 0, unknown: 0, skipped: 0}

const NOT_COMPARED: Readonly<Record<ComparedBy, number>> = {
  fingerprint: 0,
  serial: 0,
  expiry: 0,
  published: 0,
  presence: 0,
  none: 0,
}

/** Counts a run as its events pass; one for each reader that needs it. */
export interface Summary {
  take(event: ReportEvent): void
  /** As documents hold it. */
  wire(): SummaryWire
  /** For people: `2,000 pods: 1,991 match (1,990 by expiry, 1 by fingerprint), 4 mismatch, 3 skipped`. */
  line(): string
}

/** A count of nothing yet. The view must be that of the events' items. */
export function summarise<Item extends PodItem>(view: View<Item>): Summary & {take(event: ReportEvent<Item>): void} {
  const verdicts = {...NO_VERDICTS}
  const compared = {...NOT_COMPARED}
  const outcomes = new Map(view.outcomes.map((label) => [label, new Map<string, number>()]))

  return {
    take(event: ReportEvent<Item>) {
      if (event.type !== 'item') return
      verdicts[event.item.verdict] += 1
      for (const by of view.comparisons?.(event.item) ?? []) compared[by] += 1
      const {label, by = ''} = view.outcome(event.item)
      const counts = outcomes.get(label) ?? new Map<string, number>()
      outcomes.set(label, counts.set(by, (counts.get(by) ?? 0) + 1))
    },
    wire: () => ({
      pods: sum(Object.values(verdicts)),
      ...verdicts,
      ...(view.comparisons === undefined ? {} : {compared: {...compared}}),
    }),
    line() {
      const pods = sum(Object.values(verdicts))
      const parts = [...outcomes]
        .filter(([, counts], index) => index === 0 || counts.size > 0)
        .map(([label, counts]) => `${countText(sum([...counts.values()]))} ${label}${reasons(counts)}`)
      return `${countOf(pods, 'pod')}: ${parts.join(', ')}`
    },
  }
}

function reasons(counts: ReadonlyMap<string, number>): string {
  const known = [...counts].filter(([by]) => by !== '').toSorted(([, a], [, b]) => b - a)
  return known.length === 0 ? '' : ` (${known.map(([by, count]) => `${countText(count)} by ${by}`).join(', ')})`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, count) => total + count, 0)
}
