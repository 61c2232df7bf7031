const BACKSLASH = 0x5c

/** What the letter after a backslash stands for (RFC 8259, 7), but for `u`. */
const ESCAPES = new Map(
  Object.entries({'"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t'}).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning.charCodeAt(0)] as const,
  ),
)
const LETTERS = new Map([...ESCAPES].map(([letter, meaning]) => [meaning, letter] as const))

function hexAt(raw: Buffer, at: number): number | undefined {
  const digits = raw.toString('latin1', at, at + 4)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/**
 * UTF-8 of a JSON string's inside. An escape that is none, or is cut off, stays as it stands; half a surrogate pair
 * becomes U+FFFD. Own memory: to be overwritten by the caller.
 */
export function unescapeJson(raw: Buffer): Buffer {
  const text = Buffer.alloc(raw.length)
  let count = 0
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] ?? 0
    const meaning = byte === BACKSLASH ? ESCAPES.get(raw[at + 1] ?? 0) : undefined
    if (meaning !== undefined) {
      text[count++] = meaning
      at++
      continue
    }
    const unit = byte === BACKSLASH && raw[at + 1] === 0x75 ? hexAt(raw, at + 2) : undefined
    if (unit === undefined) {
      text[count++] = byte
      continue
    }
    at += 5
    const low =
      isHighSurrogate(unit) && raw[at + 1] === BACKSLASH && raw[at + 2] === 0x75 ? hexAt(raw, at + 3) : undefined
    if (low !== undefined && low >= 0xdc00 && low < 0xe000) {
      at += 6
      count += text.write(String.fromCharCode(unit, low), count)
    } else {
      count += text.write(String.fromCharCode(unit), count)
    }
  }
  return text.subarray(0, count)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** A text as the inside of a JSON string. */
export function escapeJson(text: Buffer): Buffer {
  const parts: number[] = []
  for (const byte of text) {
    const letter = byte === 0x2f ? undefined : LETTERS.get(byte)
    if (letter !== undefined) parts.push(BACKSLASH, letter)
    else if (byte < 0x20) parts.push(...Buffer.from(`\\u${byte.toString(16).padStart(4, '0')}`))
    else parts.push(byte)
  }
  return Buffer.from(parts)
}
