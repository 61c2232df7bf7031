import type {Verifiers} from './fleet-tally.ts'

/** A pod that shows no identity yet is of the trust domains in which its roots are held by pods that do. */
export function placeNameless(all: readonly Verifiers[]): readonly Verifiers[] {
  const domainsOf = new Map<string | undefined, Set<string>>()
  for (const {bundles, domains} of all) {
    for (const {certificate} of bundles.flatMap(({roots}) => roots)) {
      const known = domainsOf.get(certificate.fingerprint) ?? new Set<string>()
      for (const domain of domains) if (domain !== '') known.add(domain)
      domainsOf.set(certificate.fingerprint, known)
    }
  }
  return all.map((verifiers) => {
    if (!verifiers.domains.includes('')) return verifiers
    const roots = verifiers.bundles.flatMap((bundle) => bundle.roots)
    const domains = new Set(roots.flatMap(({certificate}) => [...(domainsOf.get(certificate.fingerprint) ?? [])]))
    return domains.size === 0 ? verifiers : {...verifiers, domains: [...domains]}
  })
}
