import {REMOVED_KEY} from '../../domain/answer.ts'

/** A block between BEGIN and END, in the order of the text. */
export interface PemBlock {
  readonly label: string
  /** The decoded bytes; absent where the block has no end, or holds no base64. */
  readonly bytes?: Uint8Array
  /** Why there are no bytes. */
  readonly problem?: 'cut off' | 'no base64'
}

export interface PemText {
  readonly blocks: readonly PemBlock[]
  /** A private key stood in the text, or the mark of one that was taken out. Its bytes are not in `blocks`. */
  readonly keyFound: boolean
}

const BOUNDARY = /^[ \t]*-----(BEGIN|END) ([^\r\n]*?)-----[ \t]*\r?$/gm

/**
 * Splits a text into its PEM blocks (RFC 7468), tolerantly: any line ends, any width, blank space at line ends, and
 * anything at all before, between and after the blocks. A private key is noticed and dropped.
 */
export function splitPem(text: string): PemText {
  const blocks: PemBlock[] = []
  let keyFound = text.includes(REMOVED_KEY)
  let open: {readonly label: string; readonly start: number} | undefined

  const close = (end: number | undefined): void => {
    if (open === undefined) return
    const block: PemBlock = end === undefined ? {label: open.label, problem: 'cut off'} : readBlock(open, text, end)
    if (isKeyLabel(open.label) || holdsRemovedKey(block.bytes)) keyFound = true
    else blocks.push(block)
    open = undefined
  }

  for (const match of text.matchAll(BOUNDARY)) {
    const [whole, kind, label = ''] = match
    if (kind === 'BEGIN') {
      close(undefined)
      open = {label, start: match.index + whole.length}
    } else if (open?.label === label) {
      close(match.index)
    }
  }
  close(undefined)
  return {blocks, keyFound}
}

/** Labels of keys: `PRIVATE KEY`, `RSA PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`, `OPENSSH PRIVATE KEY`, … */
function isKeyLabel(label: string): boolean {
  return label.toUpperCase().includes('PRIVATE KEY')
}

/** The mark of a key that was taken out of the base64 of a block. */
function holdsRemovedKey(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(REMOVED_KEY)
}

function readBlock(block: {readonly label: string; readonly start: number}, text: string, end: number): PemBlock {
  const body = text.slice(block.start, end)
  // Headers of the old form (RFC 1421) end with a blank line.
  const headers = body.includes(':') ? /^\s*[A-Za-z0-9-]+:[^\n]*\n(?:[^\n]+\n)*?[ \t]*\r?\n/.exec(body) : null
  const base64 = body.slice(headers?.[0].length ?? 0).trim()
  if (!/^[A-Za-z0-9+/][A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(base64)) return {label: block.label, problem: 'no base64'}
  return {label: block.label, bytes: Buffer.from(base64, 'base64')}
}
