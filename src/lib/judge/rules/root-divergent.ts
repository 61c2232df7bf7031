import type {Finding} from '../../domain/finding.ts'
import {defineRule} from '../define-rule.ts'
import type {FleetRule} from '../fleet-rule.ts'
import {podsText} from '../pods-text.ts'

/** Pods of one trust domain that do not trust the same roots. */
export const rootDivergent: FleetRule = defineRule<FleetRule>({
  name: 'root-divergent',
  scope: 'fleet',
  severity: 'fail',
  summary: 'All pods of a trust domain can check each other',
  meaning: `A failure where a pod cannot check a certificate that another one of its trust domain shows. A warning where
they can all check each other, and yet do not trust the same roots.`,
  importance: 'Connections between these pods are refused: a change of roots reached only some of them.',
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-files'],
  action: 'See who trusts what with agentctl secrets roots -A',
  judge({roots}) {
    const {blind, roots: all} = roots
    if (all.length === 0) return {cause: 'scope', reason: 'no mesh roots were seen'}
    if (blind.length > 0) {
      const pods = podsText(blind.map(({pod}) => pod))
      return [
        finding('fail', `${pods} cannot check certificates that are in use in the same trust domain`, blind.length),
      ]
    }
    const partial = all.filter(({trustedBy, verifiers}) => trustedBy > 0 && trustedBy < verifiers)
    return partial.map(({trustDomain, certificate, trustedBy, verifiers}) =>
      finding(
        'warn',
        `root ${(certificate.fingerprint ?? certificate.subject).slice(0, 16)} of ${trustDomain} is trusted by ${trustedBy} of ${verifiers} pods`,
        verifiers - trustedBy,
      ),
    )
  },
})

function finding(severity: Finding['severity'], message: string, pods: number): Finding {
  return {rule: 'root-divergent', severity, message, subject: 'mesh roots', values: {pods}, hint: rootDivergent.action}
}
