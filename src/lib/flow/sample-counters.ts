import type {CounterName, CountersSeen} from '../domain/health-seen.ts'
import type {Observation} from '../domain/observation.ts'
import type {Reading} from './reading.ts'

/**
 * A reading, with what an agent's counters grew by until they are read again by `later`, `ms` after it; or why they could
 * not be.
 */
export async function sampleCounters(reading: Reading, ms: number, later: () => Promise<Reading>): Promise<Reading> {
  const before = countersOf(reading.observations)
  if (before === undefined) return reading
  const second = await later()
  const after = countersOf(second.observations)
  if (after !== undefined) return withCounters(reading, {...before, sample: {ms, grown: grownBetween(before, after)}})
  const unusable = second.observations.flatMap((one) => (one.type === 'unusable' ? one.failure : []))
  const [failure] = [...second.failures, ...unusable]
  return failure === undefined ? reading : withCounters(reading, {...before, sample: {failure}})
}

/** A later reading with what an earlier sample showed. */
export function keepSample(reading: Reading, earlier: readonly Observation[]): Reading {
  const now = countersOf(reading.observations)
  const sample = countersOf(earlier)?.sample
  return now === undefined || sample === undefined ? reading : withCounters(reading, {...now, sample})
}

function countersOf(observations: readonly Observation[]): CountersSeen | undefined {
  return observations.find((one) => one.type === 'counters')
}

function withCounters(reading: Reading, counters: CountersSeen): Reading {
  return {...reading, observations: reading.observations.map((one) => (one.type === 'counters' ? counters : one))}
}

/** A counter that is lower than before was begun anew with its agent: what it shows was added since. */
function grownBetween({counts: before}: CountersSeen, {counts: after}: CountersSeen): CountersSeen['counts'] {
  const grown = (name: CounterName): number => (after[name] < before[name] ? after[name] : after[name] - before[name])
  return {
    'csrs-sent': grown('csrs-sent'),
    'csrs-failed': grown('csrs-failed'),
    'istiod-connection-failures': grown('istiod-connection-failures'),
    'istiod-connection-errors': grown('istiod-connection-errors'),
    'scrape-failures': grown('scrape-failures'),
  }
}
