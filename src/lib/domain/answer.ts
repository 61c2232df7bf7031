import type {Question, Route} from './question.ts'

/** One HTTP answer, one file, or one API object, as it came through the door: key material is already taken out. */
export interface AnswerPart {
  /** The path that was asked, or the file's name. */
  readonly path: string
  /** HTTP status; 200 for a file that could be read. */
  readonly status: number
  readonly contentType?: string
  /** The answerer's clock (HTTP `Date`), in ms since 1970; absent where it sent none. */
  readonly dateMs?: number
  /** Our clock when the answer's head arrived (for a file: its modification time), in ms since 1970. */
  readonly receivedMs: number
  /** The scrubbed bytes. To be read once; throws ProbeError where the stream breaks, is cut off or grows too large. */
  readonly body: AsyncIterable<Uint8Array>
  /** Bytes of the body that came in so far, before key material was taken out; absent where nobody counts. */
  readonly receivedBytes?: () => number
}

/** What a question got. Parts come lazily: read a part's body to its end (or leave it) before asking for the next. */
export interface Answer {
  readonly question: Question
  /** Index into `question.forms` of the form that answered. */
  readonly form: number
  readonly route: Route
  readonly parts: AsyncIterable<AnswerPart>
}

/** Text that the scrubber leaves where it took a private key out of a PEM text or a base64 of one. */
export const REMOVED_KEY = '-----AGENTCTL REMOVED A PRIVATE KEY-----'

/** Value that the scrubber leaves for a field that holds key material by its name (`private_key`, ticket keys). */
export const REMOVED_VALUE = '[removed]'
