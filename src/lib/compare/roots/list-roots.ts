import {type Certificate, certificateStatus} from '../../domain/certificate.ts'
import type {FleetRoot} from '../../domain/roots.ts'
import {isSameExpiry} from '../same-certificate.ts'
import {authorityOf, bundlesFor} from './authority.ts'
import {distinctCertificates} from './distinct-certificates.ts'
import type {FleetSeen} from './fleet-tally.ts'

/** Each root of each trust domain: by domain, then those that most chains end in, then those that most pods trust. */
export function listRoots(fleet: FleetSeen, nowMs: number): readonly FleetRoot[] {
  return [...domainsOf(fleet)].flatMap((domain) => rootsOfDomain(domain, fleet, nowMs)).toSorted(compareRoots)
}

function compareRoots(a: FleetRoot, b: FleetRoot): number {
  if (a.trustDomain !== b.trustDomain) return a.trustDomain < b.trustDomain ? -1 : 1
  return b.leaves - a.leaves || b.trustedBy - a.trustedBy || b.secondsLeft - a.secondsLeft
}

function domainsOf({verifiers, leaves}: FleetSeen): ReadonlySet<string> {
  const explicit = verifiers.flatMap(({bundles}) => bundles.flatMap(({trustDomain}) => trustDomain ?? []))
  const own = verifiers.flatMap(({domains}) => domains)
  return new Set([...explicit, ...own, ...leaves.map(({trustDomain}) => trustDomain)])
}

interface Count {
  readonly certificate: Certificate
  trustedBy: number
  leaves: Set<number>
  publishedFor: number
}

function rootsOfDomain(domain: string, fleet: FleetSeen, nowMs: number): readonly FleetRoot[] {
  const counts = new Map<string, Count>()
  const countOf = (certificate: Certificate): Count => {
    const key = certificate.fingerprint ?? ''
    const known = counts.get(key) ?? {certificate, trustedBy: 0, leaves: new Set<number>(), publishedFor: 0}
    counts.set(key, known)
    return known
  }
  let verifiers = 0
  for (const {bundles, domains, pods} of fleet.verifiers) {
    const used = bundlesFor(bundles, domain)
    if (!domains.includes(domain) && !used.some(({trustDomain}) => trustDomain === domain)) continue
    verifiers += pods.length
    const held = used.flatMap(({roots}) => roots.map(({certificate}) => certificate))
    for (const root of distinctCertificates(held)) countOf(root).trustedBy += pods.length
  }
  for (const leaf of fleet.leaves) {
    if (leaf.trustDomain !== domain) continue
    for (const root of fleet.roots) {
      if (!leaf.authorities.has(authorityOf(root))) continue
      for (const {index} of leaf.pods) countOf(root).leaves.add(index)
    }
  }
  const publishing = fleet.published.filter(({domains}) => domains.has(domain))
  for (const {roots} of publishing) for (const root of roots) countOf(root).publishedFor += 1
  return [...counts.values()].map(({certificate, trustedBy, leaves, publishedFor}) => ({
    trustDomain: domain,
    certificate,
    status: certificateStatus(certificate, nowMs),
    secondsLeft: Math.floor(certificate.notAfterMs / 1000) - Math.floor(nowMs / 1000),
    trustedBy,
    verifiers,
    leaves: leaves.size,
    published: {namespaces: publishedFor, of: publishing.length},
    isSigning: isSigning(certificate, fleet),
  }))
}

/**
 * Whether a control plane signs under this root: with an issuer that is known by its end among the certificates that
 * pods show, in chains that lead to it; where nobody shows such a one, with the root's own key.
 */
function isSigning(root: Certificate, {signing, leaves}: FleetSeen): boolean {
  return signing.some(({of, notAfterMs}) => {
    const ends = (endMs: number): boolean => isSameExpiry(endMs, notAfterMs)
    const issued = of === 'root' ? [] : leaves.filter(({issuersEndMs}) => [...issuersEndMs].some(ends))
    if (issued.length === 0) return ends(root.notAfterMs)
    return issued.some(({authorities}) => authorities.has(authorityOf(root)))
  })
}
