import type {Certificate, CertificateBlock} from '../../domain/certificate.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Signatures} from '../../domain/signatures.ts'
import type {CertificateReader} from './certificate-reader.ts'
import type {CertificateFacts} from './read-certificate.ts'

/** Signatures tried at once: far more than any mesh needs, and no more than a second's work. */
const MAX_TRIED = 4096

/**
 * Who has signed whom among all the certificates that a pod's answers hold. Only certificates of the issuer's name are
 * tried; a self-signed one has no other issuer. Chains come first where there are too many.
 */
export function checkSignatures(observations: readonly Observation[], reader: CertificateReader): Signatures {
  const items = observations.flatMap((one) => (one.type === 'secrets' ? one.items : []))
  const chainsFirst = items.toSorted((a, b) => Number(a.type !== 'Cert Chain') - Number(b.type !== 'Cert Chain'))
  return signaturesAmong(
    chainsFirst.flatMap(({certificates}) => certificates),
    reader,
  )
}

/** Who has signed whom among these certificates, the first ones first where there are too many. */
export function signaturesAmong(blocks: readonly CertificateBlock[], reader: CertificateReader): Signatures {
  const certificates = wholeOnes(blocks)
  const bySubject = Map.groupBy(certificates.values(), ({subject}) => subject)
  const issuers = new Map<string, ReadonlySet<string>>()
  const untried = new Set<string>()
  let left = MAX_TRIED
  for (const [fingerprint, certificate] of certificates) {
    const candidates = certificate.selfSigned ? [] : (bySubject.get(certificate.issuer) ?? [])
    const tried = candidates.slice(0, left)
    left -= tried.length
    if (tried.length < candidates.length) untried.add(fingerprint)
    const signers = tried.filter((candidate) => reader.issued(candidate, certificate))
    issuers.set(fingerprint, new Set(certificate.selfSigned ? [fingerprint] : signers.map((one) => one.fingerprint)))
  }
  return {issuers, untried}
}

/** Each certificate once. */
function wholeOnes(blocks: readonly CertificateBlock[]): ReadonlyMap<string, CertificateFacts> {
  return new Map(
    blocks.flatMap((block): [string, CertificateFacts][] =>
      block.readable && isWhole(block) ? [[block.fingerprint, block]] : [],
    ),
  )
}

function isWhole(certificate: Certificate): certificate is Certificate & CertificateFacts {
  return certificate.fingerprint !== undefined && certificate.pem !== undefined
}
