import type {ProbeError} from '../../domain/failure.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, type JsonRecord} from '../json/narrow.ts'
import type {JsonPath} from '../json/json-walker.ts'
import {type DocumentVisitor, scanJson} from '../json/scan-json.ts'

/**
 * Reads a page of a list of the Kubernetes API one object at a time, and gives the server's token for the next page, `''`
 * at the end. Throws ProbeError for what is no list; objects that are too large are left out, and reported.
 */
export async function readList(
  subject: Subject,
  take: (object: JsonRecord) => void,
  report: (error: ProbeError) => void,
): Promise<string> {
  const visitor = new ListVisitor(take)
  await scanJson(subject, visitor)
  if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', 'it is no list')
  if (visitor.tooLargeCount > 0) {
    report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its objects are too large`))
  }
  return visitor.next
}

class ListVisitor implements DocumentVisitor {
  readonly #take: (object: JsonRecord) => void
  next = ''
  tooLargeCount = 0
  #hasItems = false

  constructor(take: (object: JsonRecord) => void) {
    this.#take = take
  }

  choose(path: JsonPath): 'enter' | 'keep' | 'skip' {
    const [first, second] = path
    if (path.length === 0) return 'enter'
    if (first === 'items') {
      this.#hasItems = true
      return path.length === 1 ? 'enter' : 'keep'
    }
    if (first !== 'metadata') return 'skip'
    return path.length === 1 ? 'enter' : second === 'continue' ? 'keep' : 'skip'
  }

  keep([first]: JsonPath, value: unknown): void {
    if (first === 'metadata' && typeof value === 'string') this.next = value
    if (first === 'items' && isRecord(value)) this.#take(value)
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  isWanted(): boolean {
    return this.#hasItems
  }
}
