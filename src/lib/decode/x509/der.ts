/** One element of DER: its tag byte, its content, and where the next element begins. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  /** Tag, length and content. */
  readonly bytes: Uint8Array
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
export function claimedSize(bytes: Uint8Array): number | undefined {
  const first = bytes[1]
  if (first === undefined) return undefined
  if (first < 0x80) return 2 + first
  const lengthBytes = first & 0x7f
  if (lengthBytes === 0 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return undefined
  let length = 0
  for (let index = 0; index < lengthBytes; index += 1) length = length * 256 + (bytes[2 + index] ?? 0)
  return 2 + lengthBytes + length
}

/** The element that `bytes` begin with; `undefined` where it is cut off or is no DER. */
export function readElement(bytes: Uint8Array): DerElement | undefined {
  const tag = bytes[0]
  const size = claimedSize(bytes)
  if (tag === undefined || size === undefined || size > bytes.length) return undefined
  return {tag, content: bytes.subarray(headSize(bytes), size), bytes: bytes.subarray(0, size), size}
}

/** Bytes that an element's tag and length take. */
export function headSize(bytes: Uint8Array): number {
  const first = bytes[1] ?? 0
  return first < 0x80 ? 2 : 2 + (first & 0x7f)
}

/** All elements of a constructed element's content, up to the first that cannot be read. */
export function readElements(content: Uint8Array): DerElement[] {
  const elements: DerElement[] = []
  for (let rest = content; rest.length > 0;) {
    const element = readElement(rest)
    if (element === undefined) break
    elements.push(element)
    rest = rest.subarray(element.size)
  }
  return elements
}

/** The dotted form of an object identifier's content. */
export function dottedOid(content: Uint8Array): string {
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...others] = arcs
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...others].join('.')
}
