import {closeSync, constants, createReadStream, openSync, writeSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {deflateRawSync, inflateRawSync} from 'node:zlib'
import {scrub} from '../scrub/scrub.ts'
import {type FileArgument, fileName} from './file-argument.ts'
import {fileError, ofFile} from './file-error.ts'
import {peelHead, type SavedHead} from './saved-head.ts'

/** A file's content, once through the door: key material is taken out. */
export interface OpenFile {
  /** Set where it is a saved HTTP answer; that head is not in the body. */
  readonly head?: SavedHead
  /** Modification time, or the moment it was read where it has none; ms since 1970. */
  readonly modifiedMs: number
  /** The scrubbed body; may be read again. Throws ProbeError. */
  body(): AsyncIterable<Uint8Array>
  /** Bytes of the body that were read last, before key material was taken out. */
  readBytes(): number
}

export interface OpenFileOptions {
  readonly stdin: AsyncIterable<Uint8Array>
  /** Ms since 1970. */
  readonly nowMs: number
  /** Ends the wait for a standard input that does not come. */
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 256 * 1024
/** What can be read only once (standard input, a pipe) is kept in memory up to here. */
const MAX_KEPT_BYTES = 512 * 1024 * 1024
/** From here on it is kept packed: what is so large says the same thousands of times. */
const MAX_PLAIN_BYTES = 8 * 1024 * 1024

/** Opens a file. Throws ProbeError where it cannot be read. */
export async function openFile(argument: FileArgument, options: OpenFileOptions): Promise<OpenFile> {
  const name = fileName(argument)
  if (argument.path === '-') return await keep(name, options.stdin, options)
  try {
    const stats = await stat(argument.path)
    if (stats.isDirectory())
      throw fileError(name, 'file-unreadable', 'it is a directory', 'Give each file in it with a --file of its own')
    const read = (): AsyncIterable<Uint8Array> => createReadStream(argument.path, {highWaterMark: CHUNK_BYTES})
    if (!stats.isFile()) {
      using _ = stats.isFIFO() ? freeOnAbort(argument.path, options.signal) : undefined
      return await keep(name, read(), options)
    }
    const {head, body} = await peelHead(read())
    await body.return?.()
    const counted = {bytes: 0}
    return {
      modifiedMs: Math.floor(stats.mtimeMs),
      ...(head !== undefined && {head}),
      body: () => scrubBehindHead(name, read, counted),
      readBytes: () => counted.bytes,
    }
  } catch (error) {
    throw ofFile(name, error)
  }
}

/**
 * A thread that waits for a pipe's writer, or for its next bytes, holds the process when it wants to end: a byte from
 * this side lets go of it. Disposed of once the pipe is read.
 */
function freeOnAbort(path: string, signal: AbortSignal): Disposable {
  const free = (): void => {
    try {
      const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
      writeSync(pipe, '\n')
      closeSync(pipe)
    } catch {
      // Nobody reads from it any more, or it is full: then no thread waits.
    }
  }
  signal.addEventListener('abort', free)
  return {
    [Symbol.dispose]() {
      signal.removeEventListener('abort', free)
    },
  }
}

interface Kept {
  readonly isPlain: boolean
  readonly bytes: Uint8Array
}

/** Reads all there is, and keeps it scrubbed. */
async function keep(
  name: string,
  source: AsyncIterable<Uint8Array>,
  {nowMs, signal}: OpenFileOptions,
): Promise<OpenFile> {
  const kept: Kept[] = []
  const counted = {bytes: 0}
  let size = 0
  try {
    const {head, body} = await peelHead(untilAborted(source, signal))
    for await (const chunk of scrub(checkLength(name, body, head, counted))) {
      size += chunk.length
      if (size > MAX_KEPT_BYTES) {
        throw fileError(
          name,
          'too-large',
          `more than ${MAX_KEPT_BYTES / 2 ** 20} MiB`,
          'Save it to a file, which is read as a stream',
        )
      }
      // A piece may be a view of a larger chunk in which a key stood.
      const isPlain = size <= MAX_PLAIN_BYTES
      kept.push({isPlain, bytes: new Uint8Array(isPlain ? chunk : deflateRawSync(chunk, {level: 1}))})
    }
    return {
      modifiedMs: nowMs,
      ...(head !== undefined && {head}),
      body: () => replay(kept),
      readBytes: () => counted.bytes,
    }
  } catch (error) {
    throw ofFile(name, error)
  }
}

/** The same chunks; throws the signal's reason as soon as it is aborted, however long the next chunk takes. */
async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  // It is raced below; between two races nobody listens.
  aborted.promise.catch(() => undefined)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort)
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise])
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Not awaited: a source that does not answer would not answer this either.
    iterator.return?.().catch(() => undefined)
  }
}

async function* replay(kept: readonly Kept[]): AsyncGenerator<Uint8Array> {
  for (const {isPlain, bytes} of kept) yield isPlain ? bytes : inflateRawSync(bytes)
}

/** Opens the file only once it is read from. */
async function* scrubBehindHead(
  name: string,
  read: () => AsyncIterable<Uint8Array>,
  counted: {bytes: number},
): AsyncGenerator<Uint8Array> {
  try {
    const {head, body} = await peelHead(read())
    yield* scrub(checkLength(name, body, head, counted))
  } catch (error) {
    throw ofFile(name, error)
  }
}

/** Counts a body; throws ProbeError `cut-off` at the end of one that is shorter than its head says. */
async function* checkLength(
  name: string,
  body: AsyncIterable<Uint8Array>,
  head: SavedHead | undefined,
  counted: {bytes: number},
): AsyncGenerator<Uint8Array> {
  counted.bytes = 0
  for await (const chunk of body) {
    counted.bytes += chunk.length
    yield chunk
  }
  const expected = head?.bodyBytes
  if (expected !== undefined && counted.bytes < expected) {
    throw fileError(name, 'cut-off', `cut off after ${counted.bytes} of ${expected} bytes`, 'Save the answer again')
  }
}
