/** A serial has 20 bytes at most (RFC 5280, 4.1.2.2); what is far longer is no serial, and costly to convert. */
const MAX_DIGITS = 200

/**
 * A serial number as all of this program writes it: lower-case hex, an even number of digits, `-` before a negative
 * one. Accepts what is around: `0x`, colons between bytes, upper case, leading zeros. `undefined` for anything else.
 */
export function normaliseHexSerial(text: string): string | undefined {
  const match = /^\s*(-?)(?:0[xX])?([0-9a-fA-F]+(?::[0-9a-fA-F]{1,2})*)\s*$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', body = ''] = match
  const digits = body.includes(':')
    ? body
        .split(':')
        .map((byte) => byte.padStart(2, '0'))
        .join('')
    : body
  if (digits.length > MAX_DIGITS) return undefined
  return evenHex(sign, digits.toLowerCase().replace(/^0+/, ''))
}

/**
 * The same from a decimal number, as ztunnel writes it (and istioctl before 1.18). Text that can only be hex is read
 * as hex; digits alone are decimal.
 */
export function normaliseDecimalSerial(text: string): string | undefined {
  const match = /^\s*(-?)(\d+)\s*$/.exec(text)
  if (match === null) return normaliseHexSerial(text)
  const [, sign = '', digits = ''] = match
  if (digits.length > MAX_DIGITS) return undefined
  return evenHex(sign, BigInt(digits).toString(16).replace(/^0+/, ''))
}

function evenHex(sign: string, digits: string): string {
  if (digits === '') return '00'
  return sign + (digits.length % 2 === 0 ? digits : `0${digits}`)
}
