import type {Certificate} from '../../domain/certificate.ts'
import type {RootHeld, TrustBundle} from '../../domain/roots.ts'

/**
 * What makes two roots the same issuer to a verifier: its name and its key. A root that was made anew with the same key
 * verifies what the old one has signed.
 */
export function authorityOf({subject, key, fingerprint}: Certificate): string {
  return `${key.fingerprint ?? fingerprint ?? ''} ${subject}`
}

/** What a pod checks a certificate of one trust domain with: its bundle for that domain, else those for any. */
export function bundlesFor(bundles: readonly TrustBundle[], trustDomain: string): readonly TrustBundle[] {
  const own = bundles.filter((bundle) => bundle.trustDomain === trustDomain)
  return own.length > 0 ? own : bundles.filter((bundle) => bundle.trustDomain === undefined)
}

/** Whether a bundle has a root, valid now, of one of these issuers. */
export function canCheck(
  {roots}: TrustBundle,
  authorities: ReadonlySet<string>,
  isLeft: (root: RootHeld) => boolean = () => true,
): boolean {
  return roots.some((root) => root.status === 'VALID' && isLeft(root) && authorities.has(authorityOf(root.certificate)))
}
