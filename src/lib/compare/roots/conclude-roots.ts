import type {FleetRoots, RootAnswer, RootQuestions, WantedRoot} from '../../domain/roots.ts'
import type {Certificate} from '../../domain/certificate.ts'
import {isSignedBy, type Signatures} from '../../domain/signatures.ts'
import {answerExpect} from './answer-expect.ts'
import {answerWithout, countPods} from './answer-without.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass} from './fleet-tally.ts'
import {listRoots} from './list-roots.ts'
import {isWanted, type Known} from './root-answer.ts'

export interface Concluding {
  readonly questions: RootQuestions
  /** Who of the fleet's roots has signed the chains whose own pods hold no root of theirs. */
  readonly signatures: Signatures
  /** The moment that is judged as of, ms since 1970. */
  readonly nowMs: number
}

/** Certificates that `Concluding.signatures` must tell of: ends of chains without a root at hand, and all roots. */
export function certificatesToMatch({leaves, roots}: FleetSeen): readonly Certificate[] {
  const tops = leaves.flatMap(({top}) => top ?? [])
  return tops.length === 0 ? [] : [...tops, ...roots]
}

/** What all pods together say of mesh roots, and the answers to what is asked of them. */
export function concludeRoots(seen: FleetSeen, {questions, signatures, nowMs}: Concluding): FleetRoots {
  const leaves = seen.leaves.map((leaf) => findSigners(leaf, seen.roots, signatures))
  const fleet = {...seen, leaves}
  const orphans = leaves.filter(({authorities}) => authorities.size === 0)
  return {
    roots: listRoots(fleet, nowMs),
    answers: answersTo(questions, fleet, nowMs),
    orphans: inListOrder(
      orphans.flatMap(({pods, top}) =>
        pods.map((pod) => ({...pod, reason: `nobody holds the root of its issuer ${top?.issuer ?? ''}`.trimEnd()})),
      ),
    ),
    blind: blindOf(fleet),
  }
}

function findSigners(leaf: LeafClass, roots: readonly Certificate[], signatures: Signatures): LeafClass {
  const {top} = leaf
  if (top === undefined) return leaf
  const signers = roots.filter((root) => isSignedBy(top, root, signatures) === true)
  return {
    ...leaf,
    authorities: new Set(signers.map(authorityOf)),
    endsIn: new Set(signers.flatMap(({fingerprint}) => fingerprint ?? [])),
  }
}

function answersTo({expect, without}: RootQuestions, fleet: FleetSeen, nowMs: number): readonly RootAnswer[] {
  const known = (wanted: WantedRoot): Known => ({
    wanted,
    certificate: wanted.certificate ?? fleet.roots.find((root) => isWanted(root, wanted)),
    nowMs,
  })
  return [
    ...(expect === undefined ? [] : [answerExpect(fleet, known(expect))]),
    ...(without === undefined ? [] : [answerWithout(fleet, known(without))]),
  ]
}

/** Pods that cannot check what others of their own trust domain show. */
function blindOf({verifiers, leaves}: FleetSeen): FleetRoots['blind'] {
  const blind = verifiers.flatMap(({bundles, domains, pods}) => {
    if (bundles.some(({untold}) => untold !== undefined)) return []
    const unseen = leaves.filter(
      ({trustDomain, authorities}) =>
        domains.includes(trustDomain) && !canCheck(bundlesFor(bundles, trustDomain), authorities),
    )
    const reason = `none of its roots checks the certificates of ${countPods(unseen)}`
    return unseen.length === 0 ? [] : pods.map((pod) => ({...pod, reason}))
  })
  return inListOrder(blind)
}
