import {unlessAborted} from '../routes/routes.ts'

/** A queue for each key: one at a time, in order. */
export class Turns<Key> {
  readonly #last = new Map<Key, Promise<void>>()

  /** Waits for the key's turn; the function that it resolves to ends the turn. Throws the signal's reason. */
  async take(key: Key, signal: AbortSignal): Promise<() => void> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const {promise: mine, resolve: end} = Promise.withResolvers<void>()
    this.#last.set(
      key,
      before.then(() => mine),
    )
    try {
      await unlessAborted(before, signal)
      return end
    } catch (error) {
      end()
      throw error
    }
  }
}
