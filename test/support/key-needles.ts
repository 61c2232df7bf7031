import {createPrivateKey} from 'node:crypto'

/**
 * What only who holds a private key (EC P-256, PKCS #8 in PEM) can have written: pieces of its secret number, raw, in
 * hex, in base64 of every alignment, and of its PEM text in base64 too. The public half is in every certificate.
 */
export function keyNeedles(pem: string): readonly Buffer[] {
  const {d = ''} = createPrivateKey(pem).export({format: 'jwk'})
  const secret = Buffer.from(d, 'base64url')
  const base64 = pem.replaceAll(/-----[^-]+-----|\s/g, '')
  const at = Buffer.from(base64, 'base64').indexOf(secret)
  const [from, to] = [Math.ceil((at * 4) / 3) + 1, Math.floor(((at + secret.length) * 4) / 3) - 1]
  // A PEM text breaks its lines after 64 characters.
  const lines = (base64.match(/.{1,64}/g) ?? []).map((line, index) =>
    line.slice(Math.max(0, from - index * 64), Math.max(0, to - index * 64)),
  )
  const texts = lines.filter((line) => line.length >= 12)
  return [
    secret,
    secret.subarray(0, 16),
    secret.subarray(16),
    ...[secret.toString('hex'), secret.toString('hex').toUpperCase()].map((hex) => Buffer.from(hex)),
    ...alignments(secret),
    ...texts.map((text) => Buffer.from(text)),
    ...texts.flatMap((text) => alignments(Buffer.from(text))),
  ]
}

/** What bytes look like in the middle of a longer base64, wherever they begin. */
function alignments(bytes: Buffer): Buffer[] {
  return [0, 1, 2].map((before) =>
    Buffer.from(
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(4, -4),
    ),
  )
}
