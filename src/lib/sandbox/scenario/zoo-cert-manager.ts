import type {ConnectedProxy} from '../agents/istiod.ts'
import {genericContent, putCertificate, putSecret, tlsContent} from './certificate-objects.ts'
import {clusterObjects} from './cluster-objects.ts'
import {gatewayPod, outsideCertificate} from './gateway-pod.ts'
import {connectedProxy} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'

const CERTIFICATES = 'certificates'

/**
 * A gateway whose certificates cert-manager keeps new: one was renewed and the proxy did not take it up, of one the
 * renewal fails, and of one the Secret has its key beside the certificate. Clients of a fourth, which is in a Secret that
 * nobody keeps new, are verified by a CA of its own.
 */
export async function addPortalGateway(mesh: Mesh): Promise<ConnectedProxy> {
  const objects = clusterObjects(mesh)
  objects.namespace('portal', [mesh.authority.root])
  objects.serviceAccount('portal', 'portal-gateway-istio')
  const old = outsideCertificate(mesh, 'renewed.example.com', 70)
  const renewed = outsideCertificate(mesh, 'renewed.example.com', 10)
  const stuck = outsideCertificate(mesh, 'stuck.example.com', 75)
  const spoiled = outsideCertificate(mesh, 'spoiled.example.com', 5)
  const mutual = outsideCertificate(mesh, 'mutual.example.com', 30)
  const others = [
    {name: 'kubernetes://stuck-cert', certificate: stuck},
    {name: 'kubernetes://portal/spoiled-cert', certificate: spoiled},
    {name: `kubernetes-gateway://${CERTIFICATES}/mutual-cert`, certificate: mutual},
    {name: `kubernetes-gateway://${CERTIFICATES}/mutual-cert-cacert`, roots: [mesh.publicAuthority.root]},
  ]
  const name = 'kubernetes://renewed-cert'
  const gateway = gatewayPod(
    mesh,
    {
      namespace: 'portal',
      gateway: 'portal-gateway',
      owner: objects.deployment('portal', 'portal-gateway-istio', '6d8f9b7c5', 1),
      suffix: 'h5w8z',
      node: {name: 'node-a', address: '172.18.0.2'},
      address: '10.244.1.36',
      roots: [mesh.authority.root],
    },
    [{name, certificate: old}, ...others],
  )
  mesh.world.putPod(gateway)
  putCertificate(mesh, 'portal', {name: 'renewed', secretName: 'renewed-cert', certificate: renewed})
  putCertificate(mesh, 'portal', {
    name: 'stuck',
    secretName: 'stuck-cert',
    certificate: stuck,
    notReady: {reason: 'Failed', message: 'The certificate request has failed to complete and will be retried'},
    isIssuing: true,
  })
  putCertificate(mesh, 'portal', {name: 'spoiled', secretName: 'spoiled-cert', certificate: spoiled})
  putSecret(mesh, 'portal', 'renewed-cert', await tlsContent(mesh, renewed))
  putSecret(mesh, 'portal', 'stuck-cert', await tlsContent(mesh, stuck))
  const content = await tlsContent(mesh, spoiled)
  putSecret(mesh, 'portal', 'spoiled-cert', {...content, 'tls.crt': `${content['tls.crt']}${content['tls.key']}`})
  putSecret(mesh, CERTIFICATES, 'mutual-cert', await genericContent(mesh, mutual))
  return connectedProxy(gateway, [{name, certificate: renewed}, ...others])
}
