import type {Cluster} from '../cluster/start-cluster.ts'
import {gatewayObjects} from './gateway.ts'
import {meshPods} from './pods.ts'
import {gatewaySecret, mountedSecret} from './secrets.ts'
import {serviceAccounts} from './service-accounts.ts'
import {startIstio} from './start-istio.ts'
import {userRoles} from './users.ts'

/** Brings up Istio, and all pods of the tests. */
export async function startMesh(cluster: Cluster, istioctl: string): Promise<void> {
  const {kubectl} = cluster
  await startIstio(cluster, istioctl)
  await kubectl.apply([
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop', labels: {'istio-injection': 'enabled'}}},
    ...serviceAccounts('shop', ['cart', 'ingress']),
    await gatewaySecret(),
    await mountedSecret(),
    ...gatewayObjects(),
    ...userRoles(),
  ])
  await kubectl.apply(meshPods())
  await kubectl.run(['wait', '-n', 'shop', '--for=condition=Ready', 'pods', '--all', '--timeout=300s'])
}
