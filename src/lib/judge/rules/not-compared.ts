import {BY_DESIGN, isCompared} from '../../domain/rank.ts'
import type {SecretDiffRow} from '../../domain/row.ts'
import {defineRule} from '../define-rule.ts'
import {isMeshIdentity} from '../mesh-identity.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {rowFinding} from '../row-finding.ts'
import type {PodRule} from '../rule.ts'

/** Reasons for which nobody could be asked about the agent's side. */
const NOBODY: readonly string[] = [BY_DESIGN.noSource, BY_DESIGN.otherTrustSource]

/** An identity of which only the proxy's side can be seen. */
export const notCompared: PodRule = defineRule<PodRule>({
  name: 'not-compared',
  scope: 'pod',
  severity: 'warn',
  summary: "Of every identity the agent's side can be seen too",
  meaning: `The proxy holds an identity of the mesh, and nobody tells what its agent has: certificates are mounted, come from
SPIRE, or the agent is too old to tell. It may be stale without anybody seeing it.`,
  importance: 'What is not compared is not known to be well: only the dates of what the proxy holds are.',
  action: 'Have the agent asked another way: --via exec reads its files, --sds asks its socket of one named pod',
  sources: ['envoy-config-dump'],
  lasts: true,
  judge(seen) {
    const identities = seen.rows.filter((row) => row.proxy !== '' && isMeshIdentity(row))
    const findings = identities
      .filter(isUnseen)
      .map((row) => rowFinding(notCompared, row, {text: 'nobody tells what its agent has'}))
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    const left = identities.find((row) => row.result === 'NOT_COMPARABLE' && row.reason === BY_DESIGN.notAsked)
    if (left !== undefined) return {cause: 'scope', reason: 'its agent was not asked'}
    return identities.some(isCompared) ? [] : {cause: 'scope', reason: 'it holds no identity of the mesh'}
  },
})

function isUnseen({result, reason}: SecretDiffRow): boolean {
  return result === 'NOT_COMPARABLE' && NOBODY.includes(reason)
}
