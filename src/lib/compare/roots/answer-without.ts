import {countOf} from '../../domain/count-text.ts'
import type {RootAnswer, RootHeld} from '../../domain/roots.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass, type Place, type Reason, type Verifiers} from './fleet-tally.ts'
import {concludeAnswer, isWanted, type Known} from './root-answer.ts'

type IsLeft = (root: RootHeld) => boolean

/**
 * `--without`: whose chain leads to this root and to no other that anybody trusts, and who could no longer check a
 * certificate that is in use and that it can check now.
 */
export function answerWithout(fleet: FleetSeen, {wanted, certificate}: Known): RootAnswer {
  const isLeft: IsLeft = (root) => !isWanted(root.certificate, wanted)
  const broken: Reason[] = []
  const unproven: Reason[] = []
  const others = authoritiesLeft(fleet, isLeft)
  const authority = certificate && authorityOf(certificate)
  for (const {authorities, pods} of fleet.leaves) {
    if (authority === undefined || !authorities.has(authority)) continue
    if (![...authorities].some((one) => others.has(one)))
      broken.push(...pods.map((pod) => ({...pod, reason: 'its chain ends in it alone'})))
  }
  const well: Place[] = []
  for (const verifiers of fleet.verifiers) {
    const lost = fleet.leaves.filter((leaf) => isLost(verifiers, leaf, isLeft))
    const untold = fleet.leaves.flatMap((leaf) => whyUntold(verifiers, leaf, isLeft, authority) ?? [])[0]
    const reason = lost.length > 0 ? `could not check ${countPods(lost)}` : untold
    const said = lost.length > 0 ? broken : unproven
    if (reason === undefined) well.push(...verifiers.pods)
    else said.push(...verifiers.pods.map((pod) => ({...pod, reason})))
  }
  const wouldBreak = inListOrder(broken)
  return concludeAnswer({
    question: 'without',
    wanted,
    wouldBreak,
    notProven: inListOrder([...unproven, ...fleet.unread, ...fleet.untold]),
    well,
  })
}

/** Issuers that somebody still trusts. */
function authoritiesLeft({verifiers}: FleetSeen, isLeft: IsLeft): ReadonlySet<string> {
  const held = verifiers.flatMap(({bundles}) => bundles.flatMap(({roots}) => roots))
  const left = held.filter((root) => root.status === 'VALID' && isLeft(root))
  return new Set(left.map(({certificate}) => authorityOf(certificate)))
}

/** Each bundle by itself: what one of them cannot check anyway hides nothing of what another would lose. */
function isLost({bundles}: Verifiers, {trustDomain, authorities}: LeafClass, isLeft: IsLeft): boolean {
  return bundlesFor(bundles, trustDomain).some(
    (bundle) => bundle.untold === undefined && canCheck(bundle, authorities) && !canCheck(bundle, authorities, isLeft),
  )
}

/** A bundle that may hold more than it tells may check by this root alone, or by another one as well. */
function whyUntold(
  {bundles}: Verifiers,
  {trustDomain, authorities}: LeafClass,
  isLeft: IsLeft,
  authority: string | undefined,
): string | undefined {
  if (authority === undefined || !authorities.has(authority)) return undefined
  return bundlesFor(bundles, trustDomain).find(
    (bundle) => bundle.untold !== undefined && !canCheck(bundle, authorities, isLeft),
  )?.untold
}

/** Pods of these classes, each once. */
export function countPods(leaves: readonly LeafClass[]): string {
  const pods = new Set(leaves.flatMap((leaf) => leaf.pods.map(({index}) => index)))
  return countOf(pods.size, 'pod')
}
