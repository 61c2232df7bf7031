import type {FleetRoots, RootAnswer, RootQuestions, WantedRoot} from '../../domain/roots.ts'
import type {Certificate} from '../../domain/certificate.ts'
import {isSignedBy, type Signatures} from '../../domain/signatures.ts'
import {answerExpect} from './answer-expect.ts'
import {answerWithout, countPods} from './answer-without.ts'
import {authorityOf, bundlesFor, canCheck} from './authority.ts'
import {type FleetSeen, inListOrder, type LeafClass, NOT_KNOWN} from './fleet-tally.ts'
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
  const found = seen.leaves.map((leaf) => findSigners(leaf, seen.roots, signatures))
  const leaves = found.map(({leaf}) => leaf)
  const untried = found.filter(({isTried}) => !isTried).flatMap(({leaf}) => leaf.pods)
  const untold = [...seen.untold, ...untried.map((pod) => ({...pod, reason: NOT_KNOWN}))]
  const fleet = {...seen, leaves, untold}
  const authorities = new Set(seen.roots.map(authorityOf))
  const orphans = found
    .filter(({leaf, isTried}) => isTried && leaf.authorities.isDisjointFrom(authorities))
    .map(({leaf}) => leaf)
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

/** `isTried`: whether each root was tried that may have signed it. */
function findSigners(
  leaf: LeafClass,
  roots: readonly Certificate[],
  signatures: Signatures,
): {readonly leaf: LeafClass; readonly isTried: boolean} {
  const {top, authorities} = leaf
  if (top === undefined) return {leaf, isTried: true}
  const signers = roots.filter((root) => isSignedBy(top, root, signatures) === true)
  const isTried = top.fingerprint !== undefined && !signatures.untried.has(top.fingerprint)
  return {leaf: {...leaf, authorities: new Set([...authorities, ...signers.map(authorityOf)])}, isTried}
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
    const unseen = leaves.filter(({trustDomain, authorities}) => {
      if (!domains.includes(trustDomain)) return false
      const used = bundlesFor(bundles, trustDomain)
      return used.length === 0 || used.some((bundle) => !canCheck(bundle, authorities))
    })
    const reason = `none of its roots checks the certificates of ${countPods(unseen)}`
    return unseen.length === 0 ? [] : pods.map((pod) => ({...pod, reason}))
  })
  return inListOrder(blind)
}
