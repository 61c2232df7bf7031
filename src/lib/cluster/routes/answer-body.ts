import {ProbeError} from '../../domain/failure.ts'
import {fieldsOf} from '../narrow.ts'

/** Passes a body on up to a number of bytes. Throws ProbeError `too-large` in place of what goes beyond. */
export async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  what: string,
): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of body) {
    received += chunk.length
    if (received > maxBytes) {
      const message = `Answer of ${what} is larger than ${maxBytes} bytes`
      throw new ProbeError({stage: 'fetch', code: 'too-large', message})
    }
    yield chunk
  }
}

const FIRST_PIECE_BYTES = 1024

/**
 * Cuts a body so that no piece, but for the first ones, is longer than all before it together: what is done with each piece before it is read
 * costs little where reading soon stops, and next to nothing more where it does not.
 */
export async function* growingPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let passed = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + Math.max(FIRST_PIECE_BYTES, passed))
      at += piece.length
      passed += piece.length
      yield piece
    }
  }
}

/**
 * What a wait that a signal ended is to throw: a ProbeError `timeout` where a deadline passed, else the reason of the
 * interruption itself.
 */
export function endedBy(signal: AbortSignal, what: string): unknown {
  const reason: unknown = signal.reason
  const isDeadline = fieldsOf(reason)['name'] === 'TimeoutError'
  if (!isDeadline) return reason
  const message = `No whole answer of ${what} before the deadline`
  const hint = 'Give it longer with --deadline 30s'
  return new ProbeError({stage: 'fetch', code: 'timeout', message, hint}, {cause: reason})
}
