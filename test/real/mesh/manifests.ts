import {loadAll, load, dump} from 'js-yaml'
import {IMAGES} from '../parts/images.ts'
import {SIMULATED} from '../kubelet/pod-object.ts'
import {runCommand} from '../run-command.ts'

/** What is read of an object of Istio's installation. */
interface KubernetesObject {
  readonly kind: string
  readonly metadata: {readonly name: string}
  readonly data?: Readonly<Record<string, string>>
  readonly webhooks?: readonly Webhook[]
}

interface Webhook {
  readonly clientConfig: {readonly service: {readonly path: string}}
}

const VALUES = {'global.proxy.image': IMAGES.proxy, 'global.imagePullPolicy': 'Never'}

/** Istio's own installation, without what would need controllers or a Service that routes. */
export async function istioObjects(istioctl: string): Promise<readonly object[]> {
  const sets = Object.entries(VALUES).flatMap(([name, value]) => ['--set', `values.${name}=${value}`])
  const text = await runCommand([istioctl, 'manifest', 'generate', '--set', 'profile=minimal', ...sets])
  return (loadAll(text) as (KubernetesObject | null)[])
    .filter((object) => object !== null)
    .filter(({kind}) => kind !== 'Deployment' && kind !== 'HorizontalPodAutoscaler')
    .map(adapt)
}

/** Simulated agents have a CA of their own: istiod is not to publish its root where they are. */
const UNSIMULATED = {key: SIMULATED, operator: 'DoesNotExist'}

function adapt(object: KubernetesObject): object {
  if (object.webhooks !== undefined) return {...object, webhooks: object.webhooks.map(byUrl)}
  if (object.kind !== 'ConfigMap' || object.metadata.name !== 'istio') return object
  const mesh = load(object.data?.['mesh'] ?? '') as object
  // Istio's metrics are an extension of Istio's own Envoy, and upstream's refuses a configuration that names it.
  const own = {defaultProviders: {}, discoverySelectors: [{matchExpressions: [UNSIMULATED]}]}
  return {...object, data: {...object.data, mesh: dump({...mesh, ...own})}}
}

/** No Service routes here: the API server calls istiod on the node's own network. */
function byUrl(webhook: Webhook): object {
  const {path} = webhook.clientConfig.service
  return {...webhook, clientConfig: {url: `https://localhost:15017${path}`}}
}
