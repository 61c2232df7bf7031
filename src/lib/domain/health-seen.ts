import type {Failure} from './failure.ts'
import type {Side} from './question.ts'
import type {Spoken} from './spoken.ts'

/** Whether one side says of itself that it is ready. */
export interface ReadinessSeen {
  readonly type: 'readiness'
  readonly by: Spoken
  readonly side: Side
  readonly ready: boolean
  /** Status of the HTTP answer. */
  readonly status: number
  /** What it said: `LIVE`, `not ready, pending: proxy`; absent where it said nothing. Foreign. */
  readonly text?: string
}

/** What agents count. */
export type CounterName =
  | 'csrs-sent'
  | 'csrs-failed'
  | 'istiod-connection-failures'
  | 'istiod-connection-errors'
  | 'scrape-failures'

/** What was added to counters within so many ms. */
interface CounterSample {
  readonly ms: number
  readonly grown: Readonly<Record<CounterName, number>>
}

/** What an agent has counted since it was started; what it does not name, it never counted. */
export interface CountersSeen {
  readonly type: 'counters'
  readonly by: Spoken
  readonly counts: Readonly<Record<CounterName, number>>
  /** With `--sample`: what was added within a while, or why they could not be read a second time. */
  readonly sample?: CounterSample | {readonly failure: Failure}
}
