import type {Certificate} from '../../domain/certificate.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Signatures} from '../../domain/signatures.ts'
import type {CertificateReader} from './certificate-reader.ts'
import type {CertificateFacts} from './read-certificate.ts'

/** Signatures tried for one pod: far more than any mesh needs, and no more than a second's work. */
const MAX_TRIED = 4096

/**
 * Who has signed whom among all the certificates that a pod's answers hold. Only certificates of the issuer's name are
 * tried; a self-signed one has no other issuer. Chains come first where there are too many.
 */
export function checkSignatures(observations: readonly Observation[], reader: CertificateReader): Signatures {
  const certificates = wholeOnes(observations)
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

/** Each certificate once, those of chains before those of bundles. */
function wholeOnes(observations: readonly Observation[]): ReadonlyMap<string, CertificateFacts> {
  const items = observations.flatMap((one) => (one.type === 'secrets' ? one.items : []))
  const blocks = items
    .toSorted((a, b) => Number(a.type !== 'Cert Chain') - Number(b.type !== 'Cert Chain'))
    .flatMap((item) => item.certificates)
  return new Map(
    blocks.flatMap((block): [string, CertificateFacts][] =>
      block.readable && isWhole(block) ? [[block.fingerprint, block]] : [],
    ),
  )
}

function isWhole(certificate: Certificate): certificate is Certificate & CertificateFacts {
  return certificate.fingerprint !== undefined && certificate.pem !== undefined
}
