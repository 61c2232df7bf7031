import {defineRule} from '../define-rule.ts'
import {isMeshIdentity} from '../mesh-identity.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {rowFinding} from '../row-finding.ts'
import type {PodRule} from '../rule.ts'

/** An identity whose own side has no root for it. */
export const chainUntrusted: PodRule = defineRule<PodRule>({
  name: 'chain-untrusted',
  scope: 'pod',
  severity: 'fail',
  summary: 'Every proxy trusts the CA of its own certificate',
  meaning: `The chain of the workload's certificate leads to no root that the same proxy trusts: it was signed by another
CA than the one whose roots are there. Only identities of the mesh: what a gateway shows to the outside is verified there.`,
  importance: 'Pods with the same roots refuse this one: a change of roots is half done, or another CA signs.',
  action:
    'See which roots are trusted where with agentctl secrets roots -A, and which CA signed with agentctl secrets show',
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-files'],
  settles: true,
  judge(seen) {
    const {dialect} = seen.agent
    const side = dialect === 'none' ? 'agent' : 'proxy'
    const identities = seen.held.filter((row) => row.side === side && isMeshIdentity(row) && row.check !== undefined)
    // Dates of the leaf have a rule of their own.
    const findings = identities.flatMap((row) =>
      row.check?.verified === false && row.status === 'VALID'
        ? [rowFinding(chainUntrusted, row, {text: row.check.reason})]
        : [],
    )
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    const open = identities.find(({check}) => check?.verified === undefined)
    if (open?.check !== undefined) return {cause: 'scope', reason: open.check.reason}
    return identities.length === 0 ? {cause: 'scope', reason: 'it holds no identity of the mesh'} : []
  },
})
