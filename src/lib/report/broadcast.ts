/** Values that one reader may be ahead of the slowest. */
const AHEAD = 16

interface Reader<T> {
  readonly queue: {readonly value: T}[]
}

/**
 * One stream for several readers. Each sees every value and the stream's error; the source is read no further than a
 * few values ahead of the slowest reader, so all must be read at once. A reader that leaves (`return`) holds up nobody;
 * when all have left, so does the source.
 */
export function broadcast<T>(source: AsyncIterable<T>, readers: number): readonly AsyncIterableIterator<T>[] {
  const iterator = source[Symbol.asyncIterator]()
  const present = new Set<Reader<T>>(Array.from({length: readers}, () => ({queue: []})))
  let end: {readonly error?: unknown} | undefined
  let change = Promise.withResolvers<void>()
  let isReading = false

  return [...present].map((reader) => ({
    next: () => next(reader),
    return: async () => {
      await leave(reader)
      return {done: true, value: undefined}
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }))

  async function next(reader: Reader<T>): Promise<IteratorResult<T>> {
    for (;;) {
      const [next] = reader.queue.splice(0, 1)
      if (next !== undefined) {
        announce()
        return {done: false, value: next.value}
      }
      if (end !== undefined || !present.has(reader)) {
        present.delete(reader)
        if (end !== undefined && 'error' in end) throw end.error
        return {done: true, value: undefined}
      }
      const isRoom = [...present].every(({queue}) => queue.length < AHEAD)
      await (isReading || !isRoom ? change.promise : readOne())
    }
  }

  async function readOne(): Promise<void> {
    isReading = true
    try {
      const result = await iterator.next()
      if (result.done === true) end = {}
      else for (const {queue} of present) queue.push({value: result.value})
    } catch (error) {
      end = {error}
    } finally {
      isReading = false
      announce()
    }
  }

  async function leave(reader: Reader<T>): Promise<void> {
    present.delete(reader)
    reader.queue.length = 0
    announce()
    if (present.size === 0 && end === undefined) {
      end = {}
      await iterator.return?.()
    }
  }

  function announce(): void {
    change.resolve()
    change = Promise.withResolvers()
  }
}
