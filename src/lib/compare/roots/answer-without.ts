import type {RootAnswer, RootHeld} from '../../domain/roots.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass, type Reason, type Verifiers} from './fleet-tally.ts'
import {concludeAnswer, isWanted, type Known} from './root-answer.ts'

/**
 * `--without`: whose chain leads to this root and to no other that anybody trusts, and who could no longer check a
 * certificate that is in use and that it can check now.
 */
export function answerWithout(fleet: FleetSeen, {wanted, certificate}: Known): RootAnswer {
  const isLeft = (root: RootHeld): boolean => !isWanted(root.certificate, wanted)
  const broken: Reason[] = []
  const unproven: Reason[] = []
  const others = authoritiesLeft(fleet, isLeft)
  const authority = certificate && authorityOf(certificate)
  for (const {authorities, pods} of fleet.leaves) {
    if (authority === undefined || !authorities.has(authority)) continue
    if (![...authorities].some((one) => others.has(one)))
      broken.push(...pods.map((pod) => ({...pod, reason: 'its chain ends in it alone'})))
  }
  let wellCount = 0
  for (const verifiers of fleet.verifiers) {
    const lost = fleet.leaves.filter((leaf) => isLost(verifiers, leaf, isLeft))
    const untold = verifiers.bundles.find((bundle) => bundle.untold !== undefined)?.untold
    const said = untold === undefined ? broken : unproven
    const reason = untold ?? `could not check ${countPods(lost)}`
    if (lost.length > 0) said.push(...verifiers.pods.map((pod) => ({...pod, reason})))
    else wellCount += verifiers.pods.length
  }
  const untried = fleet.untried.map((pod) => ({...pod, reason: 'it is not known what its chain ends in'}))
  const wouldBreak = inListOrder(broken)
  return concludeAnswer({
    question: 'without',
    wanted,
    wouldBreak,
    notProven: inListOrder([...unproven, ...fleet.unread, ...untried]),
    wellCount,
  })
}

/** Issuers that somebody still trusts. */
function authoritiesLeft({verifiers}: FleetSeen, isLeft: (root: RootHeld) => boolean): ReadonlySet<string> {
  const held = verifiers.flatMap(({bundles}) => bundles.flatMap(({roots}) => roots))
  const left = held.filter((root) => root.status === 'VALID' && isLeft(root))
  return new Set(left.map(({certificate}) => authorityOf(certificate)))
}

function isLost({bundles}: Verifiers, leaf: LeafClass, isLeft: (root: RootHeld) => boolean): boolean {
  const used = bundlesFor(bundles, leaf.trustDomain)
  return canCheck(used, leaf.authorities) && !canCheck(used, leaf.authorities, isLeft)
}

/** Pods of these classes, each once. */
export function countPods(leaves: readonly LeafClass[]): string {
  const pods = new Set(leaves.flatMap((leaf) => leaf.pods.map(({index}) => index)))
  return pods.size === 1 ? '1 pod' : `${pods.size.toLocaleString('en-US')} pods`
}
