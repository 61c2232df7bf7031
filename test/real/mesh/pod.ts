import {NODE_NAME} from '../cluster/node.ts'
import {NODE_IP} from '../cluster/pki.ts'

/** A pod in `shop` on the one node. */
export function pod(
  name: string,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  containers: readonly object[],
  serviceAccountName = 'cart',
): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, namespace: 'shop', labels, annotations},
    spec: {
      nodeName: NODE_NAME,
      serviceAccountName,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: {sysctls: [{name: 'net.ipv4.ip_unprivileged_port_start', value: '0'}]},
      // No DNS runs here.
      hostAliases: [{ip: NODE_IP, hostnames: ['istiod.istio-system.svc']}],
      containers,
    },
  }
}
