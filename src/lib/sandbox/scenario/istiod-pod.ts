import {type ConnectedProxy, istiodPorts} from '../agents/istiod.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {Mesh} from './mesh.ts'
import type {OwnerReference} from './pod-manifest.ts'
import {plainPod} from './plain-pod.ts'
import {type GatewaySecret, holdsOf, pemOf} from './gateway-secret.ts'

const hourMs = 3_600_000

/** A proxy as istiod knows it, and the certificates that it serves it now. */
export function connectedProxy(
  {namespace, name}: SimulatedPod,
  served: readonly GatewaySecret[] = [],
  more: Partial<Pick<ConnectedProxy, 'version' | 'kind' | 'listeners'>> = {},
): ConnectedProxy {
  const secrets = served.flatMap((secret) => {
    const pem = pemOf(secret)
    return pem === undefined ? [] : [{name: secret.name, holds: holdsOf(secret), pem}]
  })
  const kind = served.length > 0 ? 'router' : 'sidecar'
  return {id: `${name}.${namespace}`, secrets: () => secrets, kind, ...more}
}

/** A replica of the control plane, with the proxies that are connected to it. */
export function istiodPod(
  mesh: Mesh,
  owner: OwnerReference,
  place: {
    readonly suffix: string
    readonly node: {readonly name: string; readonly address: string}
    readonly address: string
    readonly isReady?: boolean
  },
  proxies: () => readonly ConnectedProxy[],
): SimulatedPod {
  return plainPod(
    {
      phase: 'Running',
      identity: {
        namespace: 'istio-system',
        name: `${owner.name}-${place.suffix}`,
        labels: {app: 'istiod', istio: 'pilot', 'istio.io/rev': 'default', 'pod-template-hash': '66d8b9c7f'},
        owner,
        node: place.node,
        address: place.address,
        serviceAccount: 'istiod',
        createdMs: mesh.startedMs - 48 * hourMs,
        annotations: {'prometheus.io/port': '15014', 'prometheus.io/scrape': 'true'},
      },
      containers: [
        {
          state: 'running',
          spec: {
            name: 'discovery',
            image: 'registry.istio.io/release/pilot:1.31.0',
            args: ['discovery', '--monitoringAddr=:15014'],
            ports: [8080, 15010, 15012, 15014, 15017].map((containerPort) => ({containerPort, protocol: 'TCP'})),
          },
        },
      ],
    },
    istiodPorts(proxies, mesh.authority.root.notAfterMs, () => place.isReady !== false),
    ['pilot-discovery'],
  )
}
