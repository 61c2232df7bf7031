import type {ConnectedProxy} from '../agents/istiod.ts'
import {clusterObjects} from './cluster-objects.ts'
import {gatewayPod, outsideCertificate} from './gateway-pod.ts'
import {connectedProxy} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'

/** A gateway that has refused a renewed certificate, shows it as active, and goes on with the one before. */
export function addRefusingGateway(mesh: Mesh): ConnectedProxy {
  const objects = clusterObjects(mesh)
  objects.namespace('till', [mesh.authority.root])
  objects.serviceAccount('till', 'till-gateway-istio')
  const secret = {
    name: 'kubernetes://refused-cert',
    certificate: outsideCertificate(mesh, 'till.example.com', 1),
    before: outsideCertificate(mesh, 'till.example.com', 80),
  }
  const gateway = gatewayPod(
    mesh,
    {
      namespace: 'till',
      gateway: 'till-gateway',
      owner: objects.deployment('till', 'till-gateway-istio', '5f7d8c9b4', 1),
      suffix: 'n8s3k',
      node: {name: 'node-a', address: '172.18.0.2'},
      address: '10.244.1.37',
      roots: [mesh.authority.root],
    },
    [secret],
  )
  mesh.world.putPod(gateway)
  return connectedProxy(gateway, [secret])
}
