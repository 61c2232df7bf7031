import type {Finding} from '../domain/finding.ts'
import type {CounterName} from '../domain/health-seen.ts'
import type {Observation} from '../domain/observation.ts'
import type {RuleInfo} from '../domain/rule.ts'

/** What has no rule of its own, and is a warning where it grows: a total since the start says nothing of now. */
const TROUBLES: readonly {readonly counter: CounterName; readonly words: string; readonly subject: string}[] = [
  {
    counter: 'istiod-connection-failures',
    words: 'attempts to connect to istiod failed',
    subject: 'connection attempts to istiod',
  },
  {
    counter: 'istiod-connection-errors',
    words: 'connections to istiod ended with an error',
    subject: 'connections to istiod',
  },
  {counter: 'scrape-failures', words: 'scrapes of metrics failed', subject: 'scrapes of metrics'},
]

/** What grew between two readings of an agent's counters (`--sample`). */
export function judgeSample({name: rule, action}: RuleInfo, observations: readonly Observation[]): readonly Finding[] {
  const sample = observations.find((one) => one.type === 'counters')?.sample
  if (sample === undefined || 'failure' in sample) return []
  const seconds = sample.ms / 1000
  return TROUBLES.filter(({counter}) => sample.grown[counter] > 0).map(({counter, words, subject}) => ({
    rule,
    severity: 'warn',
    message: `${words}: ${sample.grown[counter]} within ${seconds} s`,
    subject,
    values: {counter, count: sample.grown[counter], sample_seconds: seconds},
    hint: action,
  }))
}
