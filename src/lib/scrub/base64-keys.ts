import {REMOVED_KEY} from '../domain/answer.ts'
import {decodeSextets, encodeLike, isEscapedBreak, sextetsOf} from './base64.ts'
import {BACKSLASH, characterOf, NEWLINE, PADDING, QUOTE, SPACE} from './characters.ts'
import {DER_HEAD_BYTES, isPrivateKeyDer} from './key-der.ts'
import {isTrigger, phaseOf, slide} from './key-trigger.ts'
import type {Edit} from './pem-keys.ts'

/** Scrubs what a base64 decodes to; undefined where nothing had to be taken out. */
export type ScrubDecoded = (decoded: Buffer) => Buffer | undefined

/** Fewest base64 characters that show a DER to be a private key; fewer hold nothing of it but its head. */
const MIN_KEY_SEXTETS = 16

/** A word of at least this many characters may go on after a line break; shorter ones are prose. */
const MIN_WRAPPED_WORD = 16

const DASH = 0x2d

/** One base64 text, line breaks included. */
interface Run {
  readonly from: number
  /** Position of the word in it that a DER private key begins at. */
  readonly derAt: number | undefined
  /** Characters to pass over until groups of four begin, where a trigger said so. */
  readonly offset: number | undefined
}

/** Whether a text is base64 and white space, and nothing else: then words of any length belong together. */
function isAllBase64(text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) {
    const kind = characterOf(text[at])
    if (isEscapedBreak(text, at)) at++
    else if (kind >= 64 && kind !== SPACE && kind !== NEWLINE && kind !== PADDING) return false
  }
  return true
}

function isDerKeyAt(text: Buffer, at: number): boolean {
  const sextets = sextetsOf(text, at, Math.min(text.length, at + DER_HEAD_BYTES * 2))
  const head = decodeSextets(sextets)
  const found = sextets.length >= MIN_KEY_SEXTETS && isPrivateKeyDer(head)
  sextets.fill(0)
  head.fill(0)
  return found
}

const OPEN_OBJECT = 0x7b

/** Whether a base64 decodes to base64 again, or to a JSON object, whose names count: judged by its beginning. */
export function isNestedText(text: Buffer, from: number, to: number): boolean {
  // Most are told by the first byte already, without decoding.
  const first = ((characterOf(text[from]) << 2) | (characterOf(text[from + 1]) >> 4)) & 0xff
  if (characterOf(first) >= 64 && first !== OPEN_OBJECT) return false
  const head = decodeSextets(sextetsOf(text, from, Math.min(to, from + 16)))
  const isNested =
    first === OPEN_OBJECT
      ? [QUOTE, SPACE, NEWLINE].includes(characterOf(head[1]))
      : head.length >= 9 && head.every((byte) => characterOf(byte) < 64 || characterOf(byte) === NEWLINE)
  head.fill(0)
  return isNested
}

function editOf(text: Buffer, run: Run, to: number, scrubDecoded: ScrubDecoded): Edit | undefined {
  const offset = run.offset ?? (isNestedText(text, run.from, to) ? 0 : undefined)
  if (offset !== undefined) {
    let from = run.from
    for (let passed = 0; passed < offset && from < to; from++) if (characterOf(text[from]) < 64) passed++
    const sextets = sextetsOf(text, from, to)
    const decoded = decodeSextets(sextets)
    sextets.fill(0)
    const scrubbed = scrubDecoded(decoded)
    decoded.fill(0)
    if (scrubbed !== undefined) return {from, to, bytes: encodeLike(scrubbed, text.subarray(from, to))}
  }
  if (run.derAt === undefined) return undefined
  return {from: run.derAt, to, bytes: encodeLike(Buffer.from(REMOVED_KEY), text.subarray(run.derAt, to))}
}

/**
 * Base64 texts inside `text[from, to)` that decode to something with a private key in it, each with the key alone
 * taken out and encoded again; a base64 of a DER private key is replaced whole.
 */
export function findBase64Keys(text: Buffer, from: number, to: number, scrubDecoded: ScrubDecoded): Edit[] {
  const edits: Edit[] = []
  const joinsAll = isAllBase64(text)
  let run: Run | undefined
  let window = 0
  let count = 0
  let word = 0
  let endOfWord = from

  const close = (end: number): void => {
    if (run !== undefined && count >= MIN_KEY_SEXTETS) {
      const edit = editOf(text, run, end, scrubDecoded)
      if (edit !== undefined) edits.push(edit)
    }
    run = undefined
    window = 0
    count = 0
    word = 0
  }

  for (let at = from; at < to; at++) {
    const kind = characterOf(text[at])
    if (kind < 64) {
      // Five dashes are the armour of PEM, not base64 for URLs.
      if (text[at] === DASH && text.subarray(at, at + 5).equals(Buffer.from('-----'))) {
        close(at)
        while (text[at + 1] === DASH && at + 1 < to) at++
        continue
      }
      run ??= {from: at, derAt: undefined, offset: undefined}
      if (word === 0 && text[at] === 0x4d && run.derAt === undefined && isDerKeyAt(text, at)) run = {...run, derAt: at}
      window = slide(window, kind)
      const phase = isTrigger(window) ? phaseOf(window) : undefined
      if (phase !== undefined) run = {...run, offset: (count - phase + 4) % 4}
      count++
      word++
    } else if (kind === PADDING) {
      while (characterOf(text[at + 1]) === PADDING && at + 1 < to) at++
      close(at + 1)
    } else if (kind === SPACE || kind === NEWLINE || isEscapedBreak(text, at)) {
      if (word > 0) endOfWord = at
      if (kind === BACKSLASH) at++
      // A key that has begun goes on over lines of any length.
      if (word > 0 && word < MIN_WRAPPED_WORD && !joinsAll && run?.derAt === undefined) close(at)
      word = 0
    } else if (!isEscapedSlash(text, at)) {
      // A short word that goes on with something else (`name:`) is the next line's, not the end of a base64.
      close(run !== undefined && run.from < endOfWord && word < MIN_WRAPPED_WORD ? endOfWord : at)
    }
  }
  close(to)
  return edits
}

/** `\/`, or more backslashes before an escape. */
function isEscapedSlash(text: Buffer, at: number): boolean {
  const next = text[at + 1]
  return characterOf(text[at]) === BACKSLASH && (next === 0x2f || characterOf(next) === BACKSLASH)
}
