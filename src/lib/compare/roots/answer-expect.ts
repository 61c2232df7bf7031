import {certificateStatus} from '../../domain/certificate.ts'
import type {RootAnswer, TrustBundle, WantedRoot} from '../../domain/roots.ts'
import {formatTime} from '../format-time.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass, type Reason, type Verifiers} from './fleet-tally.ts'
import {concludeAnswer, isWanted, type Known} from './root-answer.ts'

/**
 * `--expect`: who could not check a certificate that this root signs. Of several trust domains those count in which it
 * is held or published, with whoever checks certificates of theirs today; where it is nowhere yet, all do.
 */
export function answerExpect(fleet: FleetSeen, {wanted, certificate, nowMs}: Known): RootAnswer {
  const domains = domainsOf(fleet, wanted)
  const broken: Reason[] = []
  const unproven: Reason[] = []
  let wellCount = 0
  for (const verifiers of fleet.verifiers) {
    const bundles = [...domains].flatMap((domain) =>
      isConcerned(verifiers, domain, fleet.leaves) ? bundlesFor(verifiers.bundles, domain) : [],
    )
    const lacking = bundles.find((bundle) => !holds(bundle, wanted))
    if (lacking === undefined) wellCount += verifiers.pods.length
    else {
      const said = lacking.untold === undefined ? broken : unproven
      const reason = lacking.untold ?? whyNot(lacking, wanted, certificate && authorityOf(certificate))
      said.push(...verifiers.pods.map((pod) => ({...pod, reason})))
    }
  }
  const hasEnded = certificate !== undefined && certificateStatus(certificate, nowMs) === 'EXPIRED'
  return concludeAnswer({
    question: 'expect',
    wanted,
    ...(hasEnded && {because: `it ended at ${formatTime(certificate.notAfterMs)}`}),
    wouldBreak: inListOrder(broken),
    notProven: inListOrder([...unproven, ...fleet.unread]),
    wellCount,
  })
}

/** Trust domains in which it is held or published; all of them where it is nowhere. */
function domainsOf({verifiers, published}: FleetSeen, wanted: WantedRoot): ReadonlySet<string> {
  const holding = verifiers.flatMap(({bundles, domains}) =>
    bundles
      .filter(({roots}) => roots.some(({certificate}) => isWanted(certificate, wanted)))
      .flatMap(({trustDomain}) => trustDomain ?? domains),
  )
  const publishing = published.filter(({roots}) => roots.some((root) => isWanted(root, wanted)))
  const found = new Set([...holding, ...publishing.flatMap(({domains}) => [...domains])])
  return found.size > 0 ? found : new Set(verifiers.flatMap(({domains}) => domains))
}

function isConcerned({bundles, domains}: Verifiers, domain: string, leaves: readonly LeafClass[]): boolean {
  if (domains.includes(domain)) return true
  const ofDomain = leaves.filter(({trustDomain}) => trustDomain === domain)
  return ofDomain.some(({authorities}) => canCheck(bundlesFor(bundles, domain), authorities))
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
