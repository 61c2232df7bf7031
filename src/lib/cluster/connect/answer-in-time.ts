/**
 * Waits for `answer`; where the signal fires first, or nothing came within `timeoutMs` (0 sets no bound), `stop` ends
 * the attempt and the wait rejects with the signal's reason or a `TimeoutError`.
 */
export async function answerInTime<T>(
  answer: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal,
  stop: () => void,
): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const end = (reason: unknown): void => {
    stopped.reject(reason)
    stop()
  }
  const onAbort = (): void => end(signal.reason)
  const timer =
    timeoutMs === 0
      ? undefined
      : setTimeout(() => end(new DOMException('No answer came in time', 'TimeoutError')), timeoutMs)
  signal.addEventListener('abort', onAbort, {once: true})
  try {
    return await Promise.race([answer, stopped.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    // What ended it may fail the answer too; the first word stands.
    answer.catch(() => undefined)
  }
}
