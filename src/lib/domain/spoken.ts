import type {Route, Source} from './question.ts'

/** Who said it, how it was reached, and by whose clock. */
export interface Spoken {
  readonly source: Source
  readonly route: Route
  /** Answerer's clock less ours, in ms; absent where it sent no `Date`. */
  readonly skewMs?: number
}
