import type {Finding} from '../domain/finding.ts'
import type {NodeSeen, NodeService} from '../domain/mesh-facts.ts'
import {podKey} from '../domain/pod.ts'
import type {NotEvaluatedCause, RuleInfo} from '../domain/rule.ts'
import {oneLine} from './describe-row.ts'
import type {Judged} from './rule.ts'

const WORST_FIRST: readonly NotEvaluatedCause[] = ['failed', 'forbidden', 'scope']

/** One finding a node whose service of this role has troubles; `behind` tells who depends on it. */
export function judgeNodes(
  rule: RuleInfo,
  nodes: readonly NodeSeen[],
  role: NodeService['role'],
  behind: (service: NodeService, node: NodeSeen) => string,
): Judged {
  const services = nodes.flatMap((node) =>
    node.services.filter((one) => one.role === role).map((service) => ({node, service})),
  )
  const findings = services.flatMap(({node, service}): readonly Finding[] => {
    if (service.troubles.length === 0) return []
    // While one is replaced by another on a node, the one that works counts.
    if (node.services.some((one) => one.role === role && isWell(one))) return []
    const texts = service.troubles.map(({text}) => text).join('; ')
    const who = behind(service, node)
    return [
      {
        rule: rule.name,
        severity: rule.severity,
        message: oneLine(
          `${role === 'cni' ? 'istio-cni' : role} of node ${node.name} (${podKey(service.pod)}): ${texts}; ${who}`,
        ),
        subject: oneLine(`node ${node.name}`),
        values: {
          node: node.name,
          pod: podKey(service.pod),
          pods_behind: role === 'cni' ? node.pods : Math.max(service.serves ?? 0, node.captured),
        },
        hint: rule.action,
      },
    ]
  })
  if (findings.length > 0) return findings
  const missing = services.flatMap(({service}) => service.missing ?? [])
  const worst = WORST_FIRST.flatMap((cause) => missing.find((one) => one.cause === cause) ?? [])[0]
  if (worst !== undefined) return worst
  return services.length > 0
    ? []
    : {cause: 'scope', reason: `no ${role === 'cni' ? 'istio-cni' : role} was among the pods`}
}

function isWell({troubles, missing}: NodeService): boolean {
  return troubles.length === 0 && missing === undefined
}
