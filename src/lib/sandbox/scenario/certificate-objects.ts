import {resourceTypes} from '../api/resource-types.ts'
import {bundle} from './mesh.ts'
import type {Mesh} from './mesh.ts'
import {rfc3339, uidOf} from './object-values.ts'
import type {LazyCertificate} from './workload-certificates.ts'

const dayMs = 86_400_000

/** A Certificate of cert-manager, as it stands. */
export interface CertificatePlan {
  readonly name: string
  readonly secretName: string
  readonly certificate: LazyCertificate
  /** Why it is not Ready; absent where it is. */
  readonly notReady?: {readonly reason: string; readonly message: string}
  readonly isIssuing?: true
}

/** Puts a Certificate into the cluster; it is renewed when a third of its life is left, as cert-manager does it. */
export function putCertificate({world, startedMs}: Mesh, namespace: string, plan: CertificatePlan): void {
  const {name, secretName, certificate, notReady, isIssuing} = plan
  const {notBeforeMs, notAfterMs} = certificate
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime: rfc3339(notBeforeMs),
    observedGeneration: 1,
  })
  world.putManifest(resourceTypes.certificates, {
    metadata: {
      name,
      namespace,
      uid: uidOf('Certificate', namespace, name),
      resourceVersion: '950',
      generation: 1,
      creationTimestamp: rfc3339(startedMs - 200 * dayMs),
    },
    spec: {secretName, dnsNames: [`${name}.example.com`], issuerRef: {name: 'public', kind: 'ClusterIssuer'}},
    status: {
      conditions: [
        ...(isIssuing === true
          ? [condition('Issuing', 'True', 'Renewing', 'Renewing certificate as renewal was scheduled')]
          : []),
        notReady === undefined
          ? condition('Ready', 'True', 'Ready', 'Certificate is up to date and has not expired')
          : condition('Ready', 'False', notReady.reason, notReady.message),
      ],
      notBefore: rfc3339(notBeforeMs),
      notAfter: rfc3339(notAfterMs),
      renewalTime: rfc3339(notAfterMs - (notAfterMs - notBeforeMs) / 3),
      ...(isIssuing === true && {nextPrivateKeySecretName: `${name}-x7k2p`}),
      revision: 3,
    },
  })
}

/** What stands in a Secret, before it is base64. */
export type SecretContent = Readonly<Record<string, string>>

/** A Secret as `kubectl apply` leaves it: what it was made from stands in an annotation, too. */
export function putSecret({world, startedMs}: Mesh, namespace: string, name: string, content: SecretContent): void {
  const data = Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
  const type = content['tls.crt'] === undefined ? 'Opaque' : 'kubernetes.io/tls'
  world.putManifest(resourceTypes.secrets, {
    metadata: {
      name,
      namespace,
      uid: uidOf('Secret', namespace, name),
      resourceVersion: '951',
      creationTimestamp: rfc3339(startedMs - 200 * dayMs),
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {name, namespace},
          data,
        }),
      },
    },
    data,
    type,
  })
}

/** A pair as `kubernetes.io/tls` has it. */
export async function tlsContent({publicAuthority}: Mesh, certificate: LazyCertificate): Promise<SecretContent> {
  return {
    'ca.crt': bundle([publicAuthority.root]),
    'tls.crt': (await certificate.issue()).pem,
    'tls.key': await publicAuthority.leafKeyPem(),
  }
}

/** The same under Istio's own names, with a copy of the key in a name and an encoding that nobody expects. */
export async function genericContent({publicAuthority}: Mesh, certificate: LazyCertificate): Promise<SecretContent> {
  const key = await publicAuthority.leafKeyPem()
  return {
    backup: Buffer.from(key).toString('base64'),
    cacert: bundle([publicAuthority.root]),
    cert: (await certificate.issue()).pem,
    key,
  }
}
