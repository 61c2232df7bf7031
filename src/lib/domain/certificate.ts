/** A public key's kind and size. `size` is in bits. */
export interface KeyInfo {
  readonly type: 'RSA' | 'EC' | 'Ed25519' | 'Ed448' | 'DSA' | 'unknown'
  readonly size?: number
  /** `P-256`, `P-384`, …, for EC. */
  readonly curve?: string
  /** SHA-256 of its SubjectPublicKeyInfo (DER), lower-case hex: equal where a certificate was renewed with the same key. */
  readonly fingerprint?: string
}

/** Place of a certificate in the order of trust. */
export type Position = 'leaf' | 'intermediate' | 'root'

/** A certificate that could be read. Text fields are as in the certificate: foreign, not escaped. */
export interface Certificate {
  readonly readable: true
  /** PEM of this certificate alone, with a final newline; absent where only facts were given (Envoy `/certs`, a metric). */
  readonly pem?: string
  /** SHA-256 of the DER, lower-case hex; absent where only facts were given. */
  readonly fingerprint?: string
  /** Lower-case hex, even number of digits, `-` before a negative one; absent where the source gave none. */
  readonly serial?: string
  /** Ms since 1970; may lie before it. */
  readonly notBeforeMs?: number
  readonly notAfterMs: number
  /** `CN=a,O=b`, most specific first; `''` for an empty name. */
  readonly subject: string
  readonly issuer: string
  /** `URI:…`, `DNS:…`, `IP:…`, `email:…`; each whole and unquoted. */
  readonly sans: readonly string[]
  /** All `spiffe://` URIs of the SANs; more than one is against SPIFFE. */
  readonly spiffeIds: readonly string[]
  /** What the key may be used for, in RFC 5280's names, basic ones first; empty: no limit. Absent where only facts were given. */
  readonly usages?: readonly string[]
  readonly isCa: boolean
  /** Signed with its own key. */
  readonly selfSigned: boolean
  readonly key: KeyInfo
  /** The hash of its signature, where that is one that can be forged; absent where it is not, or not known. */
  readonly weakHash?: 'SHA-1' | 'MD5' | 'MD2'
  readonly position: Position
}

/** A block that stands where a certificate belongs and is none. */
interface UnreadableCertificate {
  readonly readable: false
  /** Short and specific: `certificate cut off`, `PEM label CERTIFICATE REQUEST, not CERTIFICATE`. */
  readonly problem: string
  /** As of a readable one, where its source tells it apart from the certificate. */
  readonly serial?: string
  readonly position: Position
}

export type CertificateBlock = Certificate | UnreadableCertificate

export type CertificateStatus = 'VALID' | 'EXPIRED' | 'NOT_YET_VALID' | 'INVALID' | 'UNKNOWN' | 'EMPTY'

/** Status at a moment: both edge seconds belong to the certificate (RFC 5280, 4.1.2.5). */
export function certificateStatus(block: CertificateBlock, nowMs: number): CertificateStatus {
  if (!block.readable) return 'INVALID'
  const second = Math.floor(nowMs / 1000)
  if (second > Math.floor(block.notAfterMs / 1000)) return 'EXPIRED'
  if (block.notBeforeMs !== undefined && block.notBeforeMs > block.notAfterMs) return 'EXPIRED'
  if (block.notBeforeMs !== undefined && second < Math.floor(block.notBeforeMs / 1000)) return 'NOT_YET_VALID'
  return 'VALID'
}
