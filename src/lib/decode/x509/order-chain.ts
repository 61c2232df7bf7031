import type {CertificateBlock} from '../../domain/certificate.ts'
import type {CertificateReader} from './certificate-reader.ts'
import type {CertificateFacts} from './read-certificate.ts'

/** Chains have a handful; ordering far more would let a hostile answer ask for signatures without end. */
const MAX_ORDERED = 64

/** A chain in order of trust, and what was odd about it. */
export interface OrderedChain {
  readonly certificates: readonly CertificateBlock[]
  readonly notes: readonly string[]
}

/**
 * Puts a chain in order: the leaf, who signed it, who signed that, and so on. The leaf is the certificate that signed
 * no other, one that is no CA before one that is, whatever place it came in. What belongs to no link follows as it
 * came, unreadable blocks last; the same certificate twice counts once.
 */
export function orderChain(blocks: readonly (CertificateFacts | string)[], reader: CertificateReader): OrderedChain {
  const problems = blocks.filter((block) => typeof block === 'string')
  const readable = blocks.filter((block) => typeof block !== 'string')
  const {distinct, notes} = dropRepeated(readable)
  const ordered = [...link(distinct.slice(0, MAX_ORDERED), reader), ...distinct.slice(MAX_ORDERED)]
  if (ordered[0] !== undefined && ordered[0] !== distinct[0]) notes.push('the leaf is not the first of the chain')

  // A first block that cannot be read was the leaf if what follows are CA certificates alone.
  const lostLeaf = typeof blocks[0] === 'string' && ordered.every(({isCa}) => isCa)
  const certificates = ordered.map((certificate, index): CertificateBlock => {
    if (index === 0 && !lostLeaf) return {...certificate, position: 'leaf'}
    return {...certificate, position: certificate.selfSigned ? 'root' : 'intermediate'}
  })
  const unreadable = problems.map((problem, index): CertificateBlock => {
    return {readable: false, problem, position: index === 0 && lostLeaf ? 'leaf' : 'intermediate'}
  })
  return {
    certificates: lostLeaf
      ? [...unreadable.slice(0, 1), ...certificates, ...unreadable.slice(1)]
      : [...certificates, ...unreadable],
    notes,
  }
}

function dropRepeated(readable: readonly CertificateFacts[]): {distinct: CertificateFacts[]; notes: string[]} {
  const counts = new Map<string, {readonly certificate: CertificateFacts; count: number}>()
  for (const certificate of readable) {
    const seen = counts.get(certificate.fingerprint)
    if (seen === undefined) counts.set(certificate.fingerprint, {certificate, count: 1})
    else seen.count += 1
  }
  const repeated = [...counts.values()].filter(({count}) => count > 1)
  return {
    distinct: [...counts.values()].map(({certificate}) => certificate),
    notes: repeated.map(({certificate, count}) => {
      const times = count === 2 ? 'twice' : `${count} times`
      return `${certificate.subject || `serial ${certificate.serial ?? '?'}`} stands ${times} in the chain`
    }),
  }
}

function link(certificates: readonly CertificateFacts[], reader: CertificateReader): CertificateFacts[] {
  const rest = [...certificates]
  const issuerOf = (subject: CertificateFacts): CertificateFacts | undefined =>
    certificates.find(
      (issuer) => issuer !== subject && issuer.subject === subject.issuer && reader.issued(issuer, subject),
    )
  const issuers = new Set(certificates.map(issuerOf))
  const unused = certificates.filter((certificate) => !issuers.has(certificate))
  const ordered: CertificateFacts[] = []
  // Where each has signed another (two roots that cross-sign), the first that came stands for the leaf.
  let next = unused.find(({isCa}) => !isCa) ?? unused[0] ?? certificates[0]
  while (next !== undefined && rest.includes(next)) {
    ordered.push(next)
    rest.splice(rest.indexOf(next), 1)
    next = issuerOf(next)
  }
  return [...ordered, ...rest]
}
