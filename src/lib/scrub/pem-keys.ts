import {REMOVED_KEY} from '../domain/answer.ts'
import {characterOf, OTHER, QUOTE} from './characters.ts'

/** A stretch of a text and what stands in its place. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly bytes: Buffer
}

/** Key blocks of a text; `isOpen` where the last one has no end in it. */
export interface PemKeys {
  readonly edits: readonly Edit[]
  readonly isOpen: boolean
}

const WORDS = Buffer.from('PRIVATE KEY')
const MAX_LABEL = 64
const DASH = 0x2d

/** RFC 7468 labels: letters, digits, spaces, single dashes. */
function isLabelByte(text: Buffer, at: number): boolean {
  const byte = text[at]
  if (byte === DASH) return text[at - 1] !== DASH && text[at + 1] !== DASH
  return (
    byte !== undefined && (byte === 0x20 || byte === 0x5f || (byte < 0x7f && /[\w.]/.test(String.fromCharCode(byte))))
  )
}

/** Whether the words at `at` end a label that begins with BEGIN or END, and where that word stands. */
function labelBefore(text: Buffer, at: number): {word: 'BEGIN' | 'END'; start: number} | undefined {
  let start = at
  while (start > 0 && at - start < MAX_LABEL && isLabelByte(text, start - 1)) start--
  const label = text.subarray(start, at)
  if (startsWith(label, 'BEGIN ')) return {word: 'BEGIN', start}
  if (startsWith(label, 'END ')) return {word: 'END', start}
  const begin = label.lastIndexOf(' BEGIN ')
  const end = label.lastIndexOf(' END ')
  if (begin < 0 && end < 0) return undefined
  return begin > end ? {word: 'BEGIN', start: start + begin + 1} : {word: 'END', start: start + end + 1}
}

function startsWith(text: Buffer, word: string): boolean {
  return text.subarray(0, word.length).equals(Buffer.from(word))
}

function skipDashesBack(text: Buffer, at: number): number {
  let start = at
  while (start > 0 && (text[start - 1] === DASH || text[start - 1] === 0x20) && at - start < 8) start--
  // A space belongs to the line before, unless dashes stand in front of it (SSH2 writes `---- BEGIN`).
  while (start < at && text[start] === 0x20) start++
  return start
}

/** After the label's own rest (` BLOCK`) and its dashes. */
function skipLabelEnd(text: Buffer, at: number): number {
  let end = at
  while (end < text.length && end - at < MAX_LABEL && isLabelByte(text, end)) end++
  if (text[end] !== DASH) end = at
  while (text[end] === DASH) end++
  return end
}

/** Where a key block ends that is open at `from`: after its END line, or before the next block; undefined if it does not. */
export function findKeyEnd(text: Buffer, from: number): number | undefined {
  const next = text.indexOf('-----BEGIN ', from)
  const limit = next < 0 ? text.length : next
  for (let at = text.indexOf(WORDS, from); at >= 0 && at < limit; at = text.indexOf(WORDS, at + WORDS.length)) {
    const label = labelBefore(text, at)
    if (label?.word === 'END' && label.start >= from) return skipLabelEnd(text, at + WORDS.length)
  }
  return next < 0 ? undefined : next
}

/** Where the base64 begins that ends at `end`: a key whose BEGIN line is not in the text. */
function bodyStart(text: Buffer, end: number, floor: number): number {
  let start = end
  while (start > floor) {
    if (start - floor >= 5 && text.subarray(start - 5, start).equals(Buffer.from('-----'))) return start
    const kind = characterOf(text[start - 1])
    if (kind === OTHER || kind === QUOTE) return start
    start--
  }
  return start
}

/**
 * PEM blocks of private keys in a text, whatever their label, line ends and escapes. A block without END reaches to
 * the next block or the end; one without BEGIN, back to where its base64 begins.
 */
export function findPemKeys(text: Buffer): PemKeys {
  const edits: Edit[] = []
  let done = 0
  for (let at = text.indexOf(WORDS); at >= 0; at = text.indexOf(WORDS, Math.max(done, at + WORDS.length))) {
    const label = labelBefore(text, at)
    if (label === undefined || label.start < done) continue
    const dashes = Math.max(done, skipDashesBack(text, label.start))
    const from = label.word === 'BEGIN' ? dashes : bodyStart(text, dashes, done)
    const to = label.word === 'BEGIN' ? findKeyEnd(text, at + WORDS.length) : skipLabelEnd(text, at + WORDS.length)
    edits.push({from, to: to ?? text.length, bytes: Buffer.from(REMOVED_KEY)})
    if (to === undefined) return {edits, isOpen: true}
    done = to
  }
  return {edits, isOpen: false}
}
