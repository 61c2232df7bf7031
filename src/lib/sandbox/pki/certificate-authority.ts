import {randomBytes, webcrypto} from 'node:crypto'
import type {X509Certificate} from '@peculiar/x509'
import {loadX509} from './load-x509.ts'

/** What a certificate is made from. Times are ms since 1970. */
interface LeafRequest {
  /** `CN=a,O=b`; empty for a mesh identity, as Istio leaves it. */
  readonly subject: string
  readonly uris?: readonly string[]
  readonly dnsNames?: readonly string[]
  readonly addresses?: readonly string[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** On an RSA key of 1024 bits, which nobody should use. */
  readonly isWeak?: boolean
}

/** A certificate without its key. */
export interface IssuedCertificate {
  /** PEM with a final newline. */
  readonly pem: string
  readonly der: Uint8Array
  /** Lower-case hex, 32 digits. */
  readonly serial: string
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly uris: readonly string[]
}

/** A CA whose key never leaves this object. */
export interface CertificateAuthority {
  readonly root: IssuedCertificate
  /** Issues a leaf on the CA's one leaf key. */
  issue(request: LeafRequest): Promise<IssuedCertificate>
  /** The private half of that key in PEM (PKCS #8), for agents that serve it. */
  leafKeyPem(): Promise<string>
  /** Issues a leaf with a key of its own, for the parts that speak TLS. */
  issueWithKey(request: LeafRequest): Promise<{readonly certificate: IssuedCertificate; readonly keyPem: string}>
  /** Signs bytes by ECDSA with SHA-256; the signature is WebCrypto's, `r || s`. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>
}

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'} as const
const serverAuth = '1.3.6.1.5.5.7.3.1'
const clientAuth = '1.3.6.1.5.5.7.3.2'

/**
 * Makes a CA on EC P-256, with a key that lives as long as the process.
 * `name` is its subject, e.g. `O=cluster.local`.
 */
export async function makeCertificateAuthority(
  name: string,
  notBeforeMs: number,
  notAfterMs: number,
): Promise<CertificateAuthority> {
  const {
    AuthorityKeyIdentifierExtension,
    BasicConstraintsExtension,
    cryptoProvider,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    PemConverter,
    SubjectAlternativeNameExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator,
  } = await loadX509()
  cryptoProvider.set(webcrypto)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const leafKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const root = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name,
    notBefore: wholeSecond(notBeforeMs),
    notAfter: wholeSecond(notAfterMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const issueFor = async (publicKey: webcrypto.CryptoKey, request: LeafRequest): Promise<IssuedCertificate> => {
    const names = [
      ...(request.uris ?? []).map((value) => ({type: 'url' as const, value})),
      ...(request.dnsNames ?? []).map((value) => ({type: 'dns' as const, value})),
      ...(request.addresses ?? []).map((value) => ({type: 'ip' as const, value})),
    ]
    const certificate = await X509CertificateGenerator.create({
      serialNumber: newSerial(),
      subject: request.subject,
      issuer: root.subject,
      notBefore: wholeSecond(request.notBeforeMs),
      notAfter: wholeSecond(request.notAfterMs),
      signingAlgorithm: algorithm,
      publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
        new ExtendedKeyUsageExtension([serverAuth, clientAuth]),
        new BasicConstraintsExtension(false, undefined, true),
        await AuthorityKeyIdentifierExtension.create(keys.publicKey),
        // Critical where the subject is empty (RFC 5280, 4.2.1.6), as Istio's CA does it.
        ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names, request.subject === '')] : []),
      ],
    })
    return describe(certificate, request.uris ?? [])
  }
  const pemOf = async (key: webcrypto.CryptoKey): Promise<string> =>
    PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
  return {
    root: describe(root, []),
    sign: async (bytes) => new Uint8Array(await webcrypto.subtle.sign(algorithm, keys.privateKey, bytes)),
    issue: async (request) =>
      await issueFor(request.isWeak === true ? await weakPublicKey() : leafKeys.publicKey, request),
    leafKeyPem: async () => await pemOf(leafKeys.privateKey),
    issueWithKey: async (request) => {
      const own = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      return {certificate: await issueFor(own.publicKey, request), keyPem: await pemOf(own.privateKey)}
    },
  }
}

async function weakPublicKey(): Promise<webcrypto.CryptoKey> {
  const {publicKey} = await webcrypto.subtle.generateKey(
    {name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256'},
    false,
    ['sign', 'verify'],
  )
  return publicKey
}

/** 16 random bytes as hex, positive and without a leading zero byte, as Go's CAs make them. */
export function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}

function describe(certificate: X509Certificate, uris: readonly string[]): IssuedCertificate {
  return {
    pem: `${certificate.toString('pem')}\n`,
    der: new Uint8Array(certificate.rawData),
    serial: certificate.serialNumber,
    notBeforeMs: certificate.notBefore.getTime(),
    notAfterMs: certificate.notAfter.getTime(),
    uris,
  }
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}
