import {Tokenizer, TokenizerError, TokenType} from '@streamparser/json'
import {contentError, type Subject} from '../content-error.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {TextStream} from '../text/text-stream.ts'
import {JsonError, type JsonVisitor, JsonWalker} from './json-walker.ts'

/** Lines that another program wrote before the JSON are looked through up to here. */
const MAX_NOISE_CHARACTERS = 1024 * 1024

/** A visitor that says whether a document is the one that was wanted; else the next one in the text is tried. */
export interface DocumentVisitor extends JsonVisitor {
  /** Asked once a document is whole. */
  isWanted(): boolean
  /** The document may be `null`: what Go writes for an empty list. */
  readonly mayBeNull?: true
}

/**
 * Reads the JSON document of a part's body as a stream, and hands what `visitor` asks for to it. Lines before the
 * document and text after it, which programs run by exec write, are passed over and said in the notes. Throws
 * ProbeError where the part has another status than 200, is empty, cut off, or no JSON; `visitor` may then have seen
 * a part of the document, which is worth nothing.
 */
export async function scanJson(subject: Subject, visitor: DocumentVisitor): Promise<string[]> {
  await refuseBadStatus(subject)
  const text = new TextStream(subject.part.body)
  const scan = new Scan(visitor)
  let before = ''
  let started = false
  for await (const chunk of text.chunks()) {
    if (started) {
      scan.write(chunk, subject)
      continue
    }
    before += chunk
    const start = findStart(before)
    if (start !== undefined) {
      started = true
      scan.write(before.slice(start), subject)
      before = before.slice(0, start)
    } else if (before.length > MAX_NOISE_CHARACTERS) break
  }
  if (!started && visitor.mayBeNull === true && before.trim() === 'null') {
    scan.write('null ', subject)
    return []
  }
  if (!started) {
    if (before.trim() === '') throw contentError(subject, 'empty-answer', 'an empty answer')
    throw explainRefusal(subject, before)
  }
  if (!scan.finished)
    throw contentError(subject, 'cut-off', `cut off after ${subject.part.receivedBytes?.() ?? text.bytes} bytes`)
  return notesOf(before, scan.trailing, text.replaced)
}

/** One text: a document, or several of which the last is wanted. */
class Scan {
  readonly #visitor: DocumentVisitor
  readonly #tokenizer: NumberKeepingTokenizer
  #walker: JsonWalker
  #offset = 0
  /** Something other than blank space stands after the document. */
  trailing = false

  constructor(visitor: DocumentVisitor) {
    this.#visitor = visitor
    this.#walker = new JsonWalker(visitor)
    this.#tokenizer = new NumberKeepingTokenizer()
    this.#tokenizer.onToken = ({token, value, offset}) => {
      this.#offset = offset
      if (this.#walker.finished) {
        if (this.#visitor.isWanted()) throw new AfterDocument()
        this.#walker = new JsonWalker(this.#visitor)
      }
      this.#walker.take(token, token === TokenType.NUMBER ? this.#tokenizer.numberText : String(value))
    }
  }

  get finished(): boolean {
    return this.#walker.finished
  }

  write(chunk: string, subject: Subject): void {
    if (this.trailing) return
    try {
      this.#tokenizer.write(chunk)
    } catch (error) {
      if (error instanceof AfterDocument || (error instanceof TokenizerError && this.#walker.finished)) {
        this.trailing = true
        return
      }
      if (error instanceof TokenizerError) {
        throw contentError(subject, 'bad-payload', `no JSON after byte ${this.#offset}`)
      }
      if (error instanceof JsonError) {
        throw contentError(subject, 'bad-payload', `no JSON at byte ${this.#offset}: ${error.message}`)
      }
      throw error
    }
  }
}

/** Keeps a number's digits, which a JavaScript number would round: serial numbers have up to 50. */
class NumberKeepingTokenizer extends Tokenizer {
  numberText = ''

  protected override parseNumber(text: string): number {
    this.numberText = text
    return Number(text)
  }
}

/** Ends tokenizing: what follows the document is none of ours. */
class AfterDocument extends Error {}

/** Where the JSON begins: at the first line that begins like an object, or like an array and not like a log line. */
function findStart(text: string): number | undefined {
  if (/^\s*</.test(text)) return undefined
  const match = /^[ \t]*(?=\{|\[\s*[[{"\]])/m.exec(text)
  return match === null ? undefined : match.index + match[0].length
}

function notesOf(before: string, trailing: boolean, replaced: boolean): string[] {
  const lines = before.split('\n').filter((line) => line.trim() !== '').length
  const notes: string[] = []
  if (lines > 0) notes.push(`skipped ${lines} ${lines === 1 ? 'line' : 'lines'} before the JSON`)
  if (trailing) notes.push('skipped text after the JSON')
  if (replaced) notes.push('bytes that are no UTF-8 were replaced')
  return notes
}
