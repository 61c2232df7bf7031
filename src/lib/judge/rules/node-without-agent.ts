import type {Finding} from '../../domain/finding.ts'
import type {AgentDaemonSet} from '../../domain/mesh-facts.ts'
import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import type {FleetRule} from '../fleet-rule.ts'

/** Nodes that a finding names. */
const MAX_NAMES = 5

/** Nodes that a DaemonSet of agents is meant for and is not ready on. */
export const nodeWithoutAgent: FleetRule = defineRule<FleetRule>({
  name: 'node-without-agent',
  scope: 'node',
  severity: 'fail',
  summary: 'Every node that should have an agent has one that is ready',
  meaning: `A DaemonSet of agents has fewer pods ready than it should have by its own count, at two readings. Only for kinds of
agents of which some pod was seen. A warning while the DaemonSet is rolled out.`,
  importance: 'Pods of the mesh on such a node have no network, no redirection or no certificates.',
  sources: ['daemon-set'],
  action:
    'See what keeps its pods from the node: kubectl -n NAMESPACE describe daemonset NAME (taints, resources, selectors)',
  judge({mesh}) {
    const findings = mesh.daemonSets.filter(({ready, desired}) => ready < desired).map(finding)
    if (findings.length > 0) return findings
    const [missing] = mesh.noDaemonSets
    if (missing !== undefined) return missing
    return mesh.daemonSets.length > 0 ? [] : {cause: 'scope', reason: 'no agent of a DaemonSet was among the pods'}
  },
})

function finding({namespace, name, context, kind, desired, ready, isRollingOut, without}: AgentDaemonSet): Finding {
  const where = context === undefined ? `${namespace}/${name}` : `${context}/${namespace}/${name}`
  const lacking = desired - ready
  // Nodes that it is not meant for may be among them.
  const names = without.length === 0 ? '' : `; none was seen on ${listed(without)}`
  const how = isRollingOut ? ', while it is rolled out' : ''
  return {
    rule: nodeWithoutAgent.name,
    severity: isRollingOut ? 'warn' : nodeWithoutAgent.severity,
    message: oneLine(`DaemonSet ${where} (${kind}) is ready on ${ready} of ${desired} nodes${how}${names}`),
    subject: oneLine(`daemonset ${where}`),
    values: {daemonset: where, kind, desired, ready, nodes_lacking: lacking},
    hint: nodeWithoutAgent.action,
  }
}

function listed(names: readonly string[]): string {
  const first = names.toSorted().slice(0, MAX_NAMES)
  return names.length > MAX_NAMES ? `${first.join(', ')} and ${names.length - MAX_NAMES} more` : first.join(', ')
}
