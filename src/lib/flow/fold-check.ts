import {certificatesToMatch, concludeRoots} from '../compare/roots/conclude-roots.ts'
import {FleetTally} from '../compare/roots/fleet-tally.ts'
import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import {signaturesAmong} from '../decode/x509/check-signatures.ts'
import type {CheckItem} from '../domain/report.ts'
import type {CheckPolicy} from '../judge/check-policy.ts'
import {CoverageTally} from '../judge/coverage.ts'
import {MeshTally} from '../judge/mesh-tally.ts'
import {checkFleet, namesFleetRules, namesUnanswered, rulesOf} from '../judge/judge-check.ts'
import type {FleetFold} from './inspect.ts'

/** What the rules say of all pods of a run together; `nowMs` is the moment that is judged as of. */
export function foldCheck(
  policy: CheckPolicy,
  certificates: CertificateReader,
  nowMs: () => number,
): FleetFold<CheckItem> {
  const tally = new FleetTally()
  const mesh = new MeshTally()
  const coverage = new CoverageTally()
  return {
    take(item) {
      tally.take(item)
      mesh.take(item)
      coverage.take(item.outcomes)
    },
    conclude(isWhole) {
      const about = {rules: rulesOf(policy), coverage: coverage.all()}
      // A rule that was asked for by name, and was about nobody, has not been answered.
      const isUnanswered = namesUnanswered(policy, about.coverage)
      // Whom the run did not come to may be what a finding on the fleet is about.
      if (!isWhole)
        return {findings: [], check: {...about, outcomes: [], incomplete: isUnanswered || namesFleetRules(policy)}}
      const seen = tally.seen()
      const signatures = signaturesAmong(certificatesToMatch(seen), certificates)
      const roots = concludeRoots(seen, {questions: {}, signatures, nowMs: nowMs()})
      const {findings, outcomes, incomplete} = checkFleet({roots, mesh: mesh.seen()}, policy)
      return {findings, check: {...about, outcomes, incomplete: incomplete || isUnanswered}}
    },
  }
}
