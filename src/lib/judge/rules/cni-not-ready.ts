import {defineRule} from '../define-rule.ts'
import type {FleetRule} from '../fleet-rule.ts'
import {judgeNodes} from '../judge-nodes.ts'

/** A node whose istio-cni does not run, is not ready, or has no plugin installed. */
export const cniNotReady: FleetRule = defineRule<FleetRule>({
  name: 'cni-not-ready',
  scope: 'node',
  severity: 'fail',
  summary: "Every node's istio-cni is ready",
  meaning: `The istio-cni of the node does not run, is not ready, has no plugin installed, or, in an ambient mesh, the ztunnel
of the node is not connected to it, at two readings.`,
  importance: `New pods of the node do not start, or start without redirection of their traffic; those that run go on.`,
  sources: ['agent-ready', 'cni-metrics'],
  action: 'See its log: kubectl -n istio-system logs POD -c install-cni; and the CNI configuration on the node',
  judge: ({mesh}) =>
    judgeNodes(cniNotReady, mesh.nodes, 'cni', (_, node) =>
      node.pods === 1 ? '1 pod with an agent on it' : `${node.pods} pods with an agent on it`,
    ),
})
