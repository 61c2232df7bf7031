import type {Credential, CredentialSource} from './credential.ts'

/**
 * One user's credential for all who ask: obtained once however many ask at the same time, kept until it goes stale,
 * and obtained anew once after the server refused it.
 */
export interface CredentialCache {
  /** The credential to use now. Throws what its source throws, or the signal's reason. */
  current(signal: AbortSignal): Promise<Credential>
  /**
   * Another credential than the one that was refused with a 401; `undefined` where there is none to be had: it never
   * changes, or it was itself obtained after a refusal and has not been accepted since.
   */
  renew(refused: Credential, signal: AbortSignal): Promise<Credential | undefined>
  /** Told of each credential that the server let in. */
  accept(credential: Credential): void
  /** Ends a login that is under way. */
  close(): void
}

/** A login that failed is not tried again at once: it may ask a person, or lock an account. */
const FAILURE_MS = 30_000

/** `now` is the clock, ms since 1970. */
export function cacheCredential(source: CredentialSource, now: () => number): CredentialCache {
  const {fixed, obtain} = source
  if (obtain === undefined) {
    return {
      current: async () => fixed,
      renew: async () => undefined,
      accept: () => undefined,
      close: () => undefined,
    }
  }
  const closing = new AbortController()
  const unproven = new WeakSet<Credential>()
  let held: Credential | undefined
  let flight: Promise<Credential> | undefined
  let failed: {readonly error: unknown; readonly untilMs: number} | undefined

  const fly = async (): Promise<Credential> => {
    if (failed !== undefined && failed.untilMs > now()) throw failed.error
    flight ??= land(obtain(closing.signal))
    return flight
  }
  const land = async (login: Promise<Credential>): Promise<Credential> => {
    try {
      held = await login
      return held
    } catch (error) {
      failed = {error, untilMs: now() + FAILURE_MS}
      throw error
    } finally {
      flight = undefined
    }
  }
  return {
    current: (signal) => {
      const isFresh = held !== undefined && (held.staleMs === undefined || held.staleMs > now())
      return held !== undefined && isFresh ? Promise.resolve(held) : unlessAborted(fly(), signal)
    },
    renew: async (refused, signal) => {
      // Somebody else renewed it meanwhile: that one is to be tried first.
      if (held !== undefined && held !== refused && flight === undefined) return held
      if (unproven.has(refused)) return undefined
      const credential = await unlessAborted(fly(), signal)
      unproven.add(credential)
      return credential
    },
    accept: (credential) => {
      unproven.delete(credential)
    },
    close: () => closing.abort(new DOMException('The session is closed', 'AbortError')),
  }
}

/** The promise's outcome, or the signal's reason as soon as it fires; what was waited for goes on for the others. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // Whoever leaves does not see a later failure of it.
  promise.catch(() => undefined)
  signal.throwIfAborted()
  const {promise: aborted, reject} = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, {once: true})
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
