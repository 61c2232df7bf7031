/** What a byte is to the scanners: 0 to 63 is its value in base64, of the standard and the URL-safe alphabet alike. */
export const CHARACTER = new Uint8Array(256)

export const SPACE = 64
export const NEWLINE = 65
export const BACKSLASH = 66
export const QUOTE = 67
export const PADDING = 68
export const OTHER = 69

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

CHARACTER.fill(OTHER)
for (let value = 0; value < ALPHABET.length; value++) CHARACTER[ALPHABET.charCodeAt(value)] = value
CHARACTER['-'.charCodeAt(0)] = 62
CHARACTER['_'.charCodeAt(0)] = 63
CHARACTER[' '.charCodeAt(0)] = SPACE
CHARACTER['\t'.charCodeAt(0)] = SPACE
CHARACTER['\n'.charCodeAt(0)] = NEWLINE
CHARACTER['\r'.charCodeAt(0)] = NEWLINE
CHARACTER['\\'.charCodeAt(0)] = BACKSLASH
CHARACTER['"'.charCodeAt(0)] = QUOTE
CHARACTER['='.charCodeAt(0)] = PADDING

/** A byte's class or base64 value; reading past the end is `OTHER`. */
export function characterOf(byte: number | undefined): number {
  return byte === undefined ? OTHER : (CHARACTER[byte] ?? OTHER)
}
