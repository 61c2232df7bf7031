import type {Cluster} from '../cluster/start-cluster.ts'
import {meshPods} from './pods.ts'
import {serviceAccounts} from './service-accounts.ts'

/** Brings up the one pod `cart-1` in `shop`, on the real kubelet. */
export async function startRacePod({kubectl}: Cluster): Promise<void> {
  await kubectl.apply([
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop', labels: {'istio-injection': 'enabled'}}},
    ...serviceAccounts('shop', ['cart']),
  ])
  await kubectl.apply(meshPods().slice(0, 1))
  await kubectl.run(['wait', '-n', 'shop', '--for=condition=Ready', 'pod/cart-1', '--timeout=120s'])
}
