/** What a byte is outside JSON strings; `FOREIGN` where no JSON has it. */
export const STRUCTURE = new Uint8Array(256)

export const FOREIGN = 0
/** White space, and the colon: what follows a name needs no watching. */
export const BLANK = 1
export const LITERAL = 2
export const OPEN = 3
export const CLOSE = 4
export const COMMA = 5
export const STRING = 6

for (const [kind, bytes] of [
  [BLANK, ' \t\n\r:'],
  [LITERAL, '0123456789+-.eEtrufalsn'],
  [OPEN, '{['],
  [CLOSE, '}]'],
  [COMMA, ','],
  [STRING, '"'],
] as const) {
  for (const byte of Buffer.from(bytes)) STRUCTURE[byte] = kind
}
