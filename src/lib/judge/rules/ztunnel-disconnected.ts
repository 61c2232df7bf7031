import {defineRule} from '../define-rule.ts'
import type {FleetRule} from '../fleet-rule.ts'
import {judgeNodes} from '../judge-nodes.ts'

/** A node whose ztunnel does not run, is not ready, or is connected to no istiod. */
export const ztunnelDisconnected: FleetRule = defineRule<FleetRule>({
  name: 'ztunnel-disconnected',
  scope: 'node',
  severity: 'fail',
  summary: "Every node's ztunnel is ready and connected to an istiod",
  meaning: `The ztunnel of the node does not run, is not ready, or is known to no istiod, at two readings. The finding says how
many pods it carries.`,
  importance: `All captured pods of the node go through it: none gets a new certificate or learns of new peers, and new pods get
no network.`,
  sources: ['agent-ready', 'istiod-syncz'],
  action: 'See its log: kubectl -n istio-system logs POD, and whether the node reaches istiod on port 15012',
  judge: ({mesh}) =>
    judgeNodes(ztunnelDisconnected, mesh.nodes, 'ztunnel', (service, node) => {
      const pods = Math.max(service.serves ?? 0, node.captured)
      return pods === 1 ? '1 captured pod behind it' : `${pods} captured pods behind it`
    }),
})
