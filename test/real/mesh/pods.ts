import {IMAGES} from '../parts/images.ts'
import {pod} from './pod.ts'
import {MOUNTED_SECRET} from './secrets.ts'
import {streamPod} from './stream-pod.ts'

/** Where an agent that is told to writes its certificates. */
export const OUTPUT_CERTS = '/etc/istio-output-certs'

/** What makes a pod of the tests different from a plain sidecar. */
export interface Variant {
  readonly name: string
  readonly image?: string
  readonly isNative?: boolean
  /** Whether the agent also writes its certificates to files. */
  readonly writesFiles?: boolean
  /** Lifetime of the certificate, where it is not the usual day. */
  readonly lifetime?: string
  /** What the agent starts instead of Envoy. */
  readonly binaryPath?: string
  /** Address of the CA, where it is not istiod. */
  readonly caAddress?: string
}

const SIDECARS: readonly Variant[] = [
  {name: 'cart-1', writesFiles: true},
  {name: 'native-1', image: IMAGES.proxySocat, isNative: true},
  {name: 'distroless-1', image: IMAGES.proxyDistroless, writesFiles: true},
  {name: 'rotating-1', writesFiles: true, lifetime: '30s'},
  {name: 'cut-off-1', writesFiles: true, lifetime: '40s'},
  {name: 'stale-1', writesFiles: true, lifetime: '60s', binaryPath: '/usr/local/bin/envoy-behind-relay'},
  {name: 'halted-1'},
]

/** The pods of the tests, as a user writes them: what they lack, istiod's webhook adds. */
export function meshPods(): readonly object[] {
  return [
    ...SIDECARS.map(sidecarPod),
    pod('grpc-1', {app: 'grpc'}, {...RESOURCES, 'inject.istio.io/templates': 'grpc-agent', ...CLASSIC}, [APP]),
    filesPod(),
    pod('silent-1', {'sidecar.istio.io/inject': 'false'}, {}, [SILENT]),
    pod('plain-1', {'sidecar.istio.io/inject': 'false'}, {}, [APP]),
    streamPod(),
    gatewayPod('ingress-1', 'ingress'),
  ]
}

/** A gateway: `istio` is the label by which a Gateway selects it. */
export function gatewayPod(name: string, istio: string): object {
  return pod(
    name,
    {istio, 'sidecar.istio.io/inject': 'true'},
    {...RESOURCES, 'inject.istio.io/templates': 'gateway'},
    [{name: 'istio-proxy', image: 'auto', imagePullPolicy: 'Never'}],
    'ingress',
  )
}

const APP = {name: 'app', image: IMAGES.tools, imagePullPolicy: 'Never', command: ['sleep', '100000']}
/** A sidecar whose agent has its certificate from a Secret that is mounted where Istio looks for such. */
function filesPod(): object {
  // Such an agent does not know by itself with which root it trusts istiod.
  const proxyMetadata = {FILE_MOUNTED_CERTS: 'true', XDS_ROOT_CA: '/var/run/secrets/istio/root-cert.pem'}
  return pod(
    'mounted-1',
    {app: 'mounted'},
    {
      ...RESOURCES,
      ...CLASSIC,
      'sidecar.istio.io/interceptionMode': 'NONE',
      'proxy.istio.io/config': JSON.stringify({interceptionMode: 'NONE', concurrency: 1, proxyMetadata}),
      'sidecar.istio.io/userVolume': JSON.stringify([{name: 'issued', secret: {secretName: MOUNTED_SECRET}}]),
      'sidecar.istio.io/userVolumeMount': JSON.stringify([{name: 'issued', mountPath: '/etc/certs', readOnly: true}]),
    },
    [APP],
  )
}

/** A proxy's container in which nothing listens. */
const SILENT = {
  name: 'istio-proxy',
  image: IMAGES.proxy,
  imagePullPolicy: 'Never',
  command: ['sh', '-c', 'sleep 100000'],
  args: ['proxy', 'sidecar'],
  env: [{name: 'OUTPUT_CERTS', value: '/nowhere'}],
}
const RESOURCES = {'sidecar.istio.io/proxyCPU': '10m', 'sidecar.istio.io/proxyMemory': '32Mi'}
const CLASSIC = {'sidecar.istio.io/nativeSidecar': 'false'}

/** A pod with an injected sidecar. */
export function sidecarPod(variant: Variant): object {
  const {name, image, isNative = false, writesFiles = false, lifetime, binaryPath, caAddress} = variant
  const proxyMetadata = {
    ...(writesFiles && {OUTPUT_CERTS}),
    ...(lifetime !== undefined && {SECRET_TTL: lifetime}),
    ...(caAddress !== undefined && {CA_ADDR: caAddress}),
  }
  const config = {
    interceptionMode: 'NONE',
    concurrency: 1,
    proxyMetadata,
    ...(binaryPath !== undefined && {binaryPath}),
  }
  const annotations = {
    ...RESOURCES,
    'sidecar.istio.io/interceptionMode': 'NONE',
    'sidecar.istio.io/nativeSidecar': String(isNative),
    'proxy.istio.io/config': JSON.stringify(config),
    ...(image !== undefined && {'sidecar.istio.io/proxyImage': image}),
    ...(writesFiles && {
      'sidecar.istio.io/userVolume': JSON.stringify([{name: 'certificates', emptyDir: {medium: 'Memory'}}]),
      'sidecar.istio.io/userVolumeMount': JSON.stringify([{name: 'certificates', mountPath: OUTPUT_CERTS}]),
    }),
  }
  return pod(name, {app: name}, annotations, [APP])
}
