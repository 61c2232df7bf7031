import type {Finding} from '../../domain/finding.ts'
import {disagreementOf, isBundle} from '../disagreement.ts'
import {isRenewedByAgent} from '../mesh-identity.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'
import {isEvaluated, type PodSeen, type RowRule} from '../rule.ts'

const onRows = ruleOnComparison(
  {
    name: 'trust-domain-mismatch',
    severity: 'fail',
    summary: 'Agent, proxy and pod are of one trust domain',
    meaning: `The certificates of the two sides name different trust domains, or the workload's certificate is of another one
than the pod was injected for (TRUST_DOMAIN of its agent's container). Aliases of the mesh are not known here: while a mesh
changes its trust domain, pods from before are found until they are restarted.`,
    importance: 'Authorization policies and peers of the one refuse what the other shows.',
    action: "Compare trustDomain in the mesh's config and in the pod's PROXY_CONFIG, and restart the pod",
    sources: ['envoy-config-dump', 'agent-files', 'agent-sds', 'node-agent-debug'],
  },
  (row, rule) => {
    const found = disagreementOf(row)
    return found?.rule === 'trust-domain-mismatch' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  (row) => !isBundle(row),
)

/** Sides of different trust domains, or a certificate of another one than the pod's. */
export const trustDomainMismatch: RowRule = {
  ...onRows,
  judge(seen) {
    const compared = onRows.judge(seen)
    const {trustDomain, isTold, findings} = configured(seen)
    if (isEvaluated(compared)) return compared.length > 0 ? compared : findings
    if (findings.length > 0) return findings
    // Two sides that cannot be compared leave the pod's own word.
    return trustDomain !== undefined && isTold && compared !== undefined && compared.cause === 'scope' ? [] : compared
  },
}

/** The workload's certificates against the trust domain that the pod says it is of. */
function configured({pod, agent, held}: PodSeen): {
  readonly trustDomain: string | undefined
  /** A certificate was there to be looked at. */
  readonly isTold: boolean
  readonly findings: readonly Finding[]
} {
  const container = pod.containers.find(({name}) => name === agent.container)
  const said = container?.env['TRUST_DOMAIN']
  const trustDomain = said === undefined || said === '' ? undefined : said
  const own = held.filter(
    (row) => isRenewedByAgent(row, agent) && row.trustDomain !== undefined && row.side === 'proxy',
  )
  const other = agent.dialect === 'ztunnel' ? [] : own.filter((row) => row.trustDomain !== trustDomain)
  return {
    trustDomain,
    isTold: own.length > 0,
    findings:
      trustDomain === undefined
        ? []
        : other.map((row) =>
            rowFinding(onRows, row, {
              text: `is of trust domain ${row.trustDomain ?? ''}, and the pod of ${trustDomain}`,
              values: {trust_domain: row.trustDomain ?? '', expected: trustDomain},
            }),
          ),
  }
}
