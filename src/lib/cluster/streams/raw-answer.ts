/** An answer's head, and its body as it comes: not scrubbed yet. */
export interface RawAnswer {
  /** HTTP status; 200 for a file. */
  readonly status: number
  readonly contentType?: string
  /** The answerer's clock, ms since 1970. */
  readonly dateMs?: number
  /** Our clock when the head arrived, ms since 1970. */
  readonly receivedMs: number
  /** To be read once. Throws ProbeError where it is cut off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Lets go of what is left of the body; nothing where it was read to its end. */
  readonly discard: () => void
}
