/** One element of DER: its tag byte, its content, and where the next element begins. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  /** Where it begins in what it was read from. */
  readonly start: number
  /** Bytes of tag, length and content together. */
  readonly size: number
}

export const SEQUENCE = 0x30
export const BIT_STRING = 0x03
export const OBJECT_IDENTIFIER = 0x06

/**
 * Length that the DER of one element claims to have, tag and length bytes included; `undefined` where the bytes do
 * not begin like DER. It may be more than there is.
 */
export function claimedSize(bytes: Uint8Array, start = 0): number | undefined {
  const first = bytes[start + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return 2 + first
  const lengthBytes = first & 0x7f
  if (lengthBytes === 0 || lengthBytes > 4 || bytes.length < start + 2 + lengthBytes) return undefined
  let length = 0
  for (let index = 0; index < lengthBytes; index += 1) length = length * 256 + (bytes[start + 2 + index] ?? 0)
  return 2 + lengthBytes + length
}

/** The element that `bytes` hold from `start` on; `undefined` where it is cut off or is no DER. */
export function readElement(bytes: Uint8Array, start = 0): DerElement | undefined {
  const tag = bytes[start]
  const size = claimedSize(bytes, start)
  if (tag === undefined || size === undefined || start + size > bytes.length) return undefined
  return {tag, content: bytes.subarray(start + headSize(bytes, start), start + size), start, size}
}

/** Bytes that an element's tag and length take. */
export function headSize(bytes: Uint8Array, start = 0): number {
  const first = bytes[start + 1] ?? 0
  return first < 0x80 ? 2 : 2 + (first & 0x7f)
}

/** All elements of a constructed element's content, up to the first that cannot be read. */
export function readElements(content: Uint8Array): DerElement[] {
  const elements: DerElement[] = []
  for (let start = 0; start < content.length;) {
    const element = readElement(content, start)
    if (element === undefined) break
    elements.push(element)
    start += element.size
  }
  return elements
}

/** The dotted form of an object identifier's content. */
export function dottedOid(content: Uint8Array): string {
  let dotted = ''
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    const root = Math.min(Math.floor(arc / 40), 2)
    dotted += dotted === '' ? `${root}.${arc - root * 40}` : `.${arc}`
    arc = 0
  }
  return dotted
}
