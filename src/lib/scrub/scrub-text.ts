import {REMOVED_KEY} from '../domain/answer.ts'
import {findBase64Keys} from './base64-keys.ts'
import {characterOf, NEWLINE, SPACE} from './characters.ts'
import {type Edit, findPemKeys} from './pem-keys.ts'

/** How often encodings may stand inside one another (JSON in JSON, base64 in base64) and still be undone. */
const MAX_LAYERS = 8

/** Scrubs a JSON document that stands inside a text, `layer` deep; undefined where nothing was taken out. */
export type ScrubDocument = (document: Buffer, layer: number) => Buffer | undefined

export interface ScrubbedText {
  /** Absent where nothing had to be taken out. */
  readonly bytes?: Buffer
  /** A key block has no end in this text: what follows it is key, too. */
  readonly isOpen: boolean
}

/** Takes private keys out of a whole text: PEM blocks, and base64 that holds one or is one. */
export function scrubText(text: Buffer, layer: number, scrubDocument: ScrubDocument): ScrubbedText {
  const pem = findPemKeys(text)
  const edits: Edit[] = []
  const scrubDecoded = (decoded: Buffer): Buffer | undefined => scrubInside(decoded, layer + 1, scrubDocument)
  let at = 0
  for (const edit of pem.edits) {
    edits.push(...findBase64Keys(text, at, edit.from, scrubDecoded), edit)
    at = edit.to
  }
  edits.push(...findBase64Keys(text, at, text.length, scrubDecoded))
  return edits.length === 0 ? {isOpen: false} : {bytes: applyEdits(text, edits), isOpen: pem.isOpen}
}

/** Scrubs what an encoding held: a JSON document by its fields too, anything else as a text. */
export function scrubInside(decoded: Buffer, layer: number, scrubDocument: ScrubDocument): Buffer | undefined {
  // Nobody nests this deep but to hide something.
  if (layer > MAX_LAYERS) return Buffer.from(REMOVED_KEY)
  return isDocument(decoded) ? scrubDocument(decoded, layer) : scrubText(decoded, layer, scrubDocument).bytes
}

function isDocument(text: Buffer): boolean {
  let at = 0
  while (characterOf(text[at]) === SPACE || characterOf(text[at]) === NEWLINE) at++
  return text[at] === 0x7b || text[at] === 0x5b
}

function applyEdits(text: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const edit of edits) {
    parts.push(text.subarray(at, edit.from), edit.bytes)
    at = edit.to
  }
  parts.push(text.subarray(at))
  return Buffer.concat(parts)
}
