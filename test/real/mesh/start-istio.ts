import type {Kubectl} from '../cluster/kubectl.ts'
import {NODE_NAME} from '../cluster/node.ts'
import type {Cluster} from '../cluster/start-cluster.ts'
import {IMAGES} from '../parts/images.ts'
import {waitUntil} from '../wait-until.ts'
import {istioObjects} from './manifests.ts'
import {serviceAccounts} from './service-accounts.ts'

/** Installs Istio, and starts istiod as a pod on the node's network. */
export async function startIstio({kubectl, kubeconfig}: Cluster, istioctl: string): Promise<void> {
  await kubectl.apply([{apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'istio-system'}}])
  await kubectl.apply(await istioObjects(istioctl))
  await kubectl.apply(serviceAccounts('istio-system', ['default']))
  await startIstiod(kubectl, kubeconfig)
  await waitUntil('the injection webhook', 30_000, async () => {
    const names = '{.webhooks[0].clientConfig.caBundle}'
    const bundle = await kubectl.run([
      'get',
      'mutatingwebhookconfiguration',
      'istio-sidecar-injector',
      '-o',
      `jsonpath=${names}`,
    ])
    return bundle === '' ? undefined : bundle
  })
}

/** Starts istiod, and waits until it is ready. What `cacerts` in its namespace has then is its CA, if there is one. */
export async function startIstiod(kubectl: Kubectl, kubeconfig: string): Promise<void> {
  await kubectl.apply([istiodPod(kubeconfig)])
  await kubectl.run(['wait', '-n', 'istio-system', '--for=condition=Ready', 'pod/istiod-1', '--timeout=60s'])
}

function istiodPod(kubeconfig: string): object {
  const own = (name: string, fieldPath: string): object => ({name, valueFrom: {fieldRef: {fieldPath}}})
  const settings = {
    SERVICE_ACCOUNT: 'istiod',
    REVISION: 'default',
    CLUSTER_ID: 'Kubernetes',
    JWT_POLICY: 'third-party-jwt',
    PILOT_CERT_PROVIDER: 'istiod',
    PILOT_ENABLE_ANALYSIS: 'false',
    ISTIOD_CUSTOM_HOST: 'localhost',
    // Extensions of Istio's own Envoy, which upstream's does not have: it would refuse every cluster and listener.
    PILOT_ENABLE_METADATA_EXCHANGE: 'false',
    PILOT_ENABLE_ALPN_FILTER: 'false',
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'istiod-1',
      namespace: 'istio-system',
      labels: {app: 'istiod', istio: 'pilot', 'istio.io/rev': 'default', 'sidecar.istio.io/inject': 'false'},
    },
    spec: {
      nodeName: NODE_NAME,
      hostNetwork: true,
      enableServiceLinks: false,
      containers: [
        {
          name: 'discovery',
          image: IMAGES.istiod,
          imagePullPolicy: 'Never',
          args: ['discovery', '--kubeconfig=/kubeconfig', '--domain=cluster.local', '--monitoringAddr=:15014'],
          env: [
            own('POD_NAME', 'metadata.name'),
            own('POD_NAMESPACE', 'metadata.namespace'),
            ...Object.entries(settings).map(([name, value]) => ({name, value})),
          ],
          readinessProbe: {httpGet: {path: '/ready', port: 8080}, periodSeconds: 1},
          volumeMounts: [
            {name: 'kubeconfig', mountPath: '/kubeconfig'},
            {name: 'cacerts', mountPath: '/etc/cacerts', readOnly: true},
          ],
        },
      ],
      volumes: [
        {name: 'kubeconfig', hostPath: {path: kubeconfig, type: 'File'}},
        {name: 'cacerts', secret: {secretName: 'cacerts', optional: true}},
      ],
    },
  }
}
