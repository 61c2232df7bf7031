import {ProbeError} from '../domain/failure.ts'

/** What bounds a body on its way out of this room. */
export interface BodyBounds {
  /** Most bytes of it, as they come off the wire. */
  readonly maxBytes: number
  /** `/config_dump of shop/cart-1`, for messages. */
  readonly what: string
}

/** Passes a body on up to a number of bytes. Throws ProbeError `too-large` in place of the first byte beyond. */
export async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  {maxBytes, what}: BodyBounds,
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

/**
 * What a wait that a signal ended is to throw: a ProbeError `timeout` where a deadline passed, else the reason of the
 * interruption itself.
 */
export function endedBy(signal: AbortSignal, stage: 'dial' | 'fetch', what: string): unknown {
  const reason: unknown = signal.reason
  if (reason instanceof ProbeError || !(reason instanceof Error) || reason.name !== 'TimeoutError') return reason
  return new ProbeError(
    {stage, code: 'timeout', message: `No whole answer of ${what} before the deadline`},
    {cause: reason},
  )
}
