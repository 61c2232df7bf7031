import {certificatesToMatch, concludeRoots} from '../compare/roots/conclude-roots.ts'
import {FleetTally} from '../compare/roots/fleet-tally.ts'
import {readPodRoots} from '../compare/roots/read-pod-roots.ts'
import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import {checkSignatures, signaturesAmong} from '../decode/x509/check-signatures.ts'
import type {RootsItem} from '../domain/report.ts'
import type {PodRoots, RootQuestions} from '../domain/roots.ts'
import {judgeReading} from '../judge/judge-pod.ts'
import {judgeRoots} from '../judge/roots/judge-roots.ts'
import type {FleetFold} from './inspect.ts'
import {itemOf, itemWithoutAsking, type Looking, readEvidence} from './look.ts'
import type {Selected} from './select-pods.ts'

const NOTHING: PodRoots = {bundles: [], leaves: [], signing: []}

/** The item of `secrets roots`: which mesh roots one pod trusts, and which its own chains lead to. */
export async function lookAtRoots(selected: Selected, signal: AbortSignal, looking: Looking): Promise<RootsItem> {
  const known = itemWithoutAsking(selected)
  if (known !== undefined) return {...known, roots: NOTHING}
  const evidence = await readEvidence(selected, signal, looking, false)
  const {rows: _, ...item} = itemOf(selected, evidence, [], judgeReading)
  if (item.verdict === 'skipped') return {...item, roots: NOTHING}
  return {...item, roots: readPodRoots(evidence, checkSignatures(evidence.observations, looking.certificates))}
}

/** What all pods of a run say together; `nowMs` is the moment that is judged as of. */
export function foldRoots(
  questions: RootQuestions,
  certificates: CertificateReader,
  nowMs: () => number,
): FleetFold<RootsItem> {
  const tally = new FleetTally()
  return {
    take(item) {
      tally.take(item)
    },
    conclude(isWhole) {
      const seen = tally.seen()
      const signatures = signaturesAmong(certificatesToMatch(seen), certificates)
      const roots = concludeRoots(seen, {questions, signatures, nowMs: nowMs()})
      if (isWhole) return {roots, findings: judgeRoots(roots)}
      // Whom the run did not come to may break too.
      const answers = roots.answers.map((one) => (one.verdict === 'pass' ? {...one, verdict: 'unknown' as const} : one))
      return {roots: {...roots, answers}, findings: []}
    },
  }
}
