import {BACKSLASH, characterOf} from './characters.ts'

/** `\n` and its like spelt out, where an encoding stands inside the one that was undone: a break, not a letter. */
export function isEscapedBreak(text: Buffer, at: number): boolean {
  const next = text[at + 1]
  return characterOf(text[at]) === BACKSLASH && (next === 0x6e || next === 0x72 || next === 0x74)
}

/** Values of the base64 characters of a stretch; everything else in it is passed over. */
export function sextetsOf(bytes: Buffer, from: number, to: number): Buffer {
  const sextets = Buffer.alloc(to - from)
  let count = 0
  for (let at = from; at < to; at++) {
    const value = characterOf(bytes[at])
    if (isEscapedBreak(bytes, at)) at++
    else if (value < 64) sextets[count++] = value
  }
  return sextets.subarray(0, count)
}

/** Bytes of a row of sextets; bits of an incomplete last byte are let go. Own memory: to be overwritten by the caller. */
export function decodeSextets(sextets: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.floor((sextets.length * 6) / 8))
  let bits = 0
  let held = 0
  let count = 0
  for (const sextet of sextets) {
    bits = ((bits << 6) | sextet) & 0xffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[count++] = (bits >> held) & 0xff
    }
  }
  return bytes
}

/** Base64 in the manner of a text that it replaces: its alphabet, and no padding where that one went without. */
export function encodeLike(bytes: Buffer, original: Buffer): Buffer {
  const isUrlSafe = original.includes('-') || original.includes('_')
  const isUnpadded = sextetsOf(original, 0, original.length).length % 4 !== 0 && !original.includes('=')
  const standard = Buffer.from(bytes.toString('base64'))
  const text = isUrlSafe ? Buffer.from(standard.toString().replaceAll('+', '-').replaceAll('/', '_')) : standard
  const padding = isUnpadded ? text.indexOf('=') : -1
  return padding < 0 ? text : text.subarray(0, padding)
}
