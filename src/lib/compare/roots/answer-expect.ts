import {certificateStatus} from '../../domain/certificate.ts'
import type {RootAnswer, TrustBundle, WantedRoot} from '../../domain/roots.ts'
import {formatTime} from '../../domain/format-time.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass, type Place, type Reason, type Verifiers} from './fleet-tally.ts'
import {concludeAnswer, isWanted, type Known} from './root-answer.ts'

const NAMELESS = 'it does not trust it, and shows no identity that tells its trust domain'

/**
 * `--expect`: who could not check a certificate that this root signs. Of several trust domains those count for which it
 * is held or published, with whoever checks certificates of theirs today; where it is nowhere yet, all do.
 */
export function answerExpect(fleet: FleetSeen, {wanted, certificate, nowMs}: Known): RootAnswer {
  const domains = domainsOf(fleet, wanted)
  const broken: Reason[] = []
  const unproven: Reason[] = []
  const well: Place[] = []
  for (const verifiers of fleet.verifiers) {
    const concerned = [...domains].filter((domain) => isConcerned(verifiers, domain, fleet.leaves))
    if (concerned.length === 0) {
      if (mayBeMeant(verifiers, wanted)) unproven.push(...verifiers.pods.map((pod) => ({...pod, reason: NAMELESS})))
      continue
    }
    const bundles = concerned.map((domain) => bundlesFor(verifiers.bundles, domain))
    const lacking = bundles.flat().filter((bundle) => !holds(bundle, wanted))
    const reason = bundles.some(({length}) => length === 0)
      ? 'it holds no roots for its own trust domain'
      : lacking
          .filter(({untold}) => untold === undefined)
          .map((bundle) => whyNot(bundle, wanted, certificate && authorityOf(certificate)))[0]
    const untold = lacking.find((bundle) => bundle.untold !== undefined)?.untold
    const blame = (text: string): readonly Reason[] => verifiers.pods.map((pod) => ({...pod, reason: text}))
    if (reason !== undefined) broken.push(...blame(reason))
    else if (untold !== undefined) unproven.push(...blame(untold))
    else well.push(...verifiers.pods)
  }
  const hasEnded = certificate !== undefined && certificateStatus(certificate, nowMs) === 'EXPIRED'
  return concludeAnswer({
    question: 'expect',
    wanted,
    ...(hasEnded && {because: `it ended at ${formatTime(certificate.notAfterMs)}`}),
    wouldBreak: inListOrder(broken),
    notProven: inListOrder([...unproven, ...fleet.unread]),
    well,
  })
}

/**
 * Trust domains for which it is held or published; all of them where it is nowhere. A bundle for any trust domain does
 * not tell which one it holds a root for: each may be meant whose certificates it checks.
 */
function domainsOf({verifiers, published, leaves}: FleetSeen, wanted: WantedRoot): ReadonlySet<string> {
  const holding = verifiers.flatMap(({bundles, domains}) =>
    bundles
      .filter(({roots}) => roots.some(({certificate}) => isWanted(certificate, wanted)))
      .flatMap((bundle) => bundle.trustDomain ?? [...domains, ...checkedBy(bundle, leaves)]),
  )
  const publishing = published.filter(({roots}) => roots.some((root) => isWanted(root, wanted)))
  const found = new Set([...holding, ...publishing.flatMap(({domains}) => [...domains])])
  return found.size > 0 ? found : new Set(verifiers.flatMap(({domains}) => domains))
}

function isConcerned({bundles, domains}: Verifiers, domain: string, leaves: readonly LeafClass[]): boolean {
  if (domains.includes(domain)) return true
  return bundlesFor(bundles, domain).some((bundle) => checkedBy(bundle, leaves).includes(domain))
}

/** Trust domains of certificates that a bundle can check. */
function checkedBy(bundle: TrustBundle, leaves: readonly LeafClass[]): readonly string[] {
  return leaves
    .filter(({trustDomain}) => bundle.trustDomain === undefined || bundle.trustDomain === trustDomain)
    .filter(({authorities}) => canCheck(bundle, authorities))
    .map(({trustDomain}) => trustDomain)
}

/** Of a pod without an identity it is only known that it lacks the root, not that it will need it. */
function mayBeMeant({bundles, domains}: Verifiers, wanted: WantedRoot): boolean {
  return domains.includes('') && bundles.some((bundle) => !holds(bundle, wanted))
}

function holds({roots}: TrustBundle, wanted: WantedRoot): boolean {
  return roots.some(({certificate, status}) => status === 'VALID' && isWanted(certificate, wanted))
}

function whyNot({roots}: TrustBundle, wanted: WantedRoot, authority: string | undefined): string {
  const held = roots.find(({certificate}) => isWanted(certificate, wanted))
  if (held !== undefined) return `it holds the root, which is ${held.status} there`
  if (roots.length === 0) return 'it holds no roots yet'
  const isKin = authority !== undefined && roots.some(({certificate}) => authorityOf(certificate) === authority)
  const count = roots.length === 1 ? '1 other root' : `${roots.length} other roots`
  return `it trusts ${isKin ? `${count}, one of them with the same name and key` : count}`
}
