const SEQUENCE = 0x30
const INTEGER = 0x02
const OCTET_STRING = 0x04
const OID = 0x06

/** Bytes of a DER's beginning that `isPrivateKeyDer` may look at. */
export const DER_HEAD_BYTES = 32

/** PKCS#5 and PKCS#12 encryption schemes, as DER of their arcs (RFC 8018 A, RFC 7292 C). */
const ENCRYPTION_ARCS = [
  Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05]),
  Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01]),
]

/** Where a TLV's content begins, for definite and BER's indefinite lengths. */
function contentStart(der: Buffer, at: number): number {
  const length = der[at + 1] ?? 0
  return length > 0x80 ? at + 2 + (length & 0x7f) : at + 2
}

/**
 * Whether a DER is a private key by its first fields: PKCS#8 plain or encrypted (RFC 5958), PKCS#1 (RFC 8017),
 * SEC1 (RFC 5915), or a PKCS#12 store (RFC 7292). The head is enough, so a cut off key is one too.
 */
export function isPrivateKeyDer(head: Buffer): boolean {
  if (head[0] !== SEQUENCE) return false
  const first = contentStart(head, 0)
  if (head[first] === SEQUENCE) {
    const scheme = contentStart(head, first)
    if (head[scheme] !== OID) return false
    return ENCRYPTION_ARCS.some((arc) => head.subarray(scheme + 2, scheme + 2 + arc.length).equals(arc))
  }
  if (head[first] !== INTEGER || head[first + 1] !== 1) return false
  const version = head[first + 2]
  const second = first + 3
  if (head[second] === SEQUENCE) {
    return (version === 0 || version === 1 || version === 3) && head[contentStart(head, second)] === OID
  }
  if (head[second] === OCTET_STRING) return version === 1
  // A modulus of 512 bits and more; a small integer would be some other structure.
  return head[second] === INTEGER && version === 0 && (head[second + 1] ?? 0) >= 0x40
}
