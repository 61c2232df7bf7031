import type {Finding} from '../domain/finding.ts'
import type {PodRef} from '../domain/pod.ts'
import type {Accepted} from './check-policy.ts'

/** Findings that somebody accepted until a day: of what is given, all has to fit. */
export interface AcceptedEntry {
  readonly rule: string
  readonly context?: string
  readonly namespace?: string
  /** A name; `*` stands for any letters, `?` for one. */
  readonly pod?: string
  /** As a finding tells it: `secret default`. */
  readonly subject?: string
  /** Name of a secret. */
  readonly secret?: string
  readonly reason: string
  /** The last day, `2026-12-31`, in UTC. */
  readonly until: string
}

/**
 * The entry that a finding is accepted by. Of several one that has not ended comes first, then the one that ends last.
 */
export function entryFor<Entry extends AcceptedEntry>(
  entries: readonly Entry[],
  finding: Finding,
  pod: PodRef | undefined,
): Entry | undefined {
  const [last] = entries
    .filter((entry) => isAbout(entry, finding, pod))
    .toSorted((one, other) => (one.until < other.until ? 1 : one.until > other.until ? -1 : 0))
  return last
}

/** What an entry makes of a finding at a moment. */
export function acceptedBy({reason, until}: AcceptedEntry, nowMs: number): Accepted {
  return {reason, until, hasEnded: nowMs >= Date.parse(`${until}T00:00:00Z`) + DAY_MS}
}

const DAY_MS = 86_400_000

function isAbout(entry: AcceptedEntry, {rule, subject, values}: Finding, pod: PodRef | undefined): boolean {
  return (
    entry.rule === rule &&
    isOf(entry.context, pod?.context) &&
    isOf(entry.namespace, pod?.namespace) &&
    (entry.pod === undefined || (pod !== undefined && fits(entry.pod, pod.name))) &&
    isOf(entry.subject, subject) &&
    isOf(entry.secret, values?.['secret'])
  )
}

/** What an entry does not name may be anything. */
function isOf(wanted: string | undefined, is: unknown): boolean {
  return wanted === undefined || wanted === is
}

/** Whether a name fits a pattern, in time that grows with both lengths alone. */
function fits(pattern: string, name: string): boolean {
  let reached = new Set([0])
  for (const letter of pattern) {
    const next = new Set<number>()
    for (const at of reached) {
      if (letter === '*') for (let to = at; to <= name.length; to += 1) next.add(to)
      else if (at < name.length && (letter === '?' || name[at] === letter)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(name.length)
}
