import type {Answer} from './answer.ts'
import type {Failure} from './failure.ts'
import type {Pod, PodRef} from './pod.ts'
import type {Question} from './question.ts'

/** Where a listing stands: enough to go on after the last pod that was reported. Plain JSON. */
export interface Place {
  /** Index into the run's contexts. */
  readonly context: number
  /** Index into the context's queries (namespaces, or targets). */
  readonly query: number
  /** The server's token for the page in hand; absent for the first page of a query. */
  readonly token?: string
  /** Last pod that was reported: pods up to and with it in list order are not given again. */
  readonly after?: {readonly namespace: string; readonly name: string}
}

/** A page of the listing; may be empty while more follow. */
export interface PodPage {
  readonly pods: readonly Pod[]
  /** Where this page itself begins; with `after` set it resumes inside it. */
  readonly place: Place
  /** Where the next page begins; absent at the end. */
  readonly next?: Place
  /** Pods after this page, where the server says so. */
  readonly remaining?: number
  /** `false` once a token has expired: later pages are of a newer moment. */
  readonly consistent: boolean
  /**
   * A namespace, a target or a context before this page that could not be listed; thrown at the listing's end, and
   * said here for who does not read up to it.
   */
  readonly missed?: Failure
}

/** Who lists: a cluster, or files. */
export interface PodLister {
  /**
   * Pages in list order (namespace, name), each pod at most once. Throws RunError before the first page where
   * nothing can be listed, ProbeError later.
   */
  pages(from: Place | undefined, signal: AbortSignal): AsyncIterable<PodPage>
}

/** One pod's line to its sources; nothing is dialled before the first question. */
export interface Conversation extends AsyncDisposable {
  /** Throws ProbeError where no route gave an answer. Questions may be asked side by side. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
}

/** Who answers: a cluster, or files. */
export interface Answerer {
  /**
   * `ports` are all that the plan may need, so that one stream can carry them. `deadlineAtMs` (ms since 1970) is the
   * moment at which the signals given to `ask` fire: while another way can follow, one gets at most a third of the
   * time left until then. Without it, only the signal ends a way.
   */
  open(pod: PodRef, ports: readonly number[], deadlineAtMs?: number): Conversation
}

/** Something worth telling the user on stderr, once for each text. */
export type Notice = (text: string, about?: PodRef) => void
