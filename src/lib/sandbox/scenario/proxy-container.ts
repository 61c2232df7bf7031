import type {ContainerPlan} from './pod-manifest.ts'

const proxyImage = 'registry.istio.io/release/proxyv2:1.31.0'

function fieldEnv(name: string, fieldPath: string): unknown {
  return {name, valueFrom: {fieldRef: {apiVersion: 'v1', fieldPath}}}
}

function resourceEnv(name: string, resource: string): unknown {
  return {name, valueFrom: {resourceFieldRef: {divisor: '1', resource}}}
}

const resources = {limits: {cpu: '2', memory: '1Gi'}, requests: {cpu: '100m', memory: '128Mi'}}

/** How a proxy container is made; Istio's injection template and its Gateway chart differ in these. */
export interface ProxyOptions {
  readonly role: 'sidecar' | 'router' | 'waypoint'
  readonly workload: string
  readonly state: ContainerPlan['state']
  /** An init container that keeps running. */
  readonly isNative?: boolean
  readonly image?: string
  /** Mounts beside the usual ones. */
  readonly mounts?: readonly {readonly mountPath: string; readonly name: string}[]
  readonly env?: Readonly<Record<string, string>>
}

/** The container `istio-proxy` as the injection webhook of Istio 1.31 writes it. */
export function proxyContainer(options: ProxyOptions): ContainerPlan {
  const {role, workload, state} = options
  return {
    state,
    spec: {
      name: 'istio-proxy',
      image: options.image ?? proxyImage,
      ...(options.isNative === true ? {restartPolicy: 'Always'} : {}),
      args: [
        'proxy',
        role,
        '--domain',
        '$(POD_NAMESPACE).svc.cluster.local',
        '--proxyLogLevel=warning',
        '--proxyComponentLogLevel=misc:error',
        '--log_output_level=default:info',
      ],
      env: [
        {name: 'PILOT_CERT_PROVIDER', value: 'istiod'},
        {name: 'CA_ADDR', value: 'istiod.istio-system.svc:15012'},
        fieldEnv('POD_NAME', 'metadata.name'),
        fieldEnv('POD_NAMESPACE', 'metadata.namespace'),
        fieldEnv('INSTANCE_IP', 'status.podIP'),
        fieldEnv('SERVICE_ACCOUNT', 'spec.serviceAccountName'),
        fieldEnv('HOST_IP', 'status.hostIP'),
        resourceEnv('ISTIO_CPU_LIMIT', 'limits.cpu'),
        {name: 'PROXY_CONFIG', value: '{}\n'},
        {name: 'ISTIO_META_POD_PORTS', value: '[\n    {"containerPort":8080,"protocol":"TCP"}\n]'},
        {name: 'ISTIO_META_APP_CONTAINERS', value: 'app'},
        resourceEnv('GOMEMLIMIT', 'limits.memory'),
        resourceEnv('GOMAXPROCS', 'limits.cpu'),
        {name: 'ISTIO_META_CLUSTER_ID', value: 'Kubernetes'},
        fieldEnv('ISTIO_META_NODE_NAME', 'spec.nodeName'),
        {name: 'ISTIO_META_INTERCEPTION_MODE', value: 'REDIRECT'},
        {name: 'ISTIO_META_WORKLOAD_NAME', value: workload},
        {name: 'ISTIO_META_MESH_ID', value: 'cluster.local'},
        {name: 'TRUST_DOMAIN', value: 'cluster.local'},
        ...Object.entries(options.env ?? {}).map(([name, value]) => ({name, value})),
      ],
      ports: [{containerPort: 15090, name: 'http-envoy-prom', protocol: 'TCP'}],
      readinessProbe: {
        failureThreshold: 4,
        httpGet: {path: '/healthz/ready', port: 15021, scheme: 'HTTP'},
        periodSeconds: 15,
        successThreshold: 1,
        timeoutSeconds: 3,
      },
      resources,
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: {drop: ['ALL']},
        privileged: false,
        readOnlyRootFilesystem: true,
        runAsGroup: 1337,
        runAsNonRoot: true,
        runAsUser: 1337,
      },
      volumeMounts: [
        {mountPath: '/var/run/secrets/workload-spiffe-uds', name: 'workload-socket'},
        {mountPath: '/var/run/secrets/credential-uds', name: 'credential-socket'},
        {mountPath: '/var/run/secrets/workload-spiffe-credentials', name: 'workload-certs'},
        {mountPath: '/var/run/secrets/istio', name: 'istiod-ca-cert'},
        {mountPath: '/var/run/secrets/istio/crl', name: 'istio-ca-crl'},
        {mountPath: '/var/lib/istio/data', name: 'istio-data'},
        {mountPath: '/etc/istio/proxy', name: 'istio-envoy'},
        {mountPath: '/var/run/secrets/tokens', name: 'istio-token'},
        {mountPath: '/etc/istio/pod', name: 'istio-podinfo'},
        ...(options.mounts ?? []),
      ],
    },
  }
}

/** The init container that sets up the traffic redirection. */
export function initContainer(): ContainerPlan {
  return {
    state: 'completed',
    spec: {
      name: 'istio-init',
      image: proxyImage,
      args: [
        'istio-iptables',
        '-p',
        '15001',
        '-z',
        '15006',
        '-u',
        '1337',
        '-m',
        'REDIRECT',
        '-i',
        '*',
        '-x',
        '',
        '-b',
        '*',
        '-d',
        '15090,15021,15020',
        '--log_output_level=default:info',
      ],
      resources,
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: {add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL']},
        privileged: false,
        readOnlyRootFilesystem: false,
        runAsGroup: 0,
        runAsNonRoot: false,
        runAsUser: 0,
      },
    },
  }
}

/** The application beside the proxy. */
export function appContainer(image: string, state: ContainerPlan['state']): ContainerPlan {
  return {state, spec: {name: 'app', image, ports: [{containerPort: 8080, protocol: 'TCP'}]}}
}

/**
 * Volumes of an injected pod; mounted certificates come from a Secret in place of an empty directory, and an external
 * SDS server's socket from its CSI driver.
 */
export function proxyVolumes(certificateSecret?: string, isSpire = false): readonly unknown[] {
  const projection = [{serviceAccountToken: {audience: 'istio-ca', expirationSeconds: 43_200, path: 'istio-token'}}]
  return [
    isSpire
      ? {csi: {driver: 'csi.spiffe.io', readOnly: true}, name: 'workload-socket'}
      : {emptyDir: {}, name: 'workload-socket'},
    {emptyDir: {}, name: 'credential-socket'},
    certificateSecret === undefined
      ? {emptyDir: {}, name: 'workload-certs'}
      : {secret: {defaultMode: 420, secretName: certificateSecret}, name: 'workload-certs'},
    {emptyDir: {medium: 'Memory'}, name: 'istio-envoy'},
    {emptyDir: {}, name: 'istio-data'},
    {
      downwardAPI: {defaultMode: 420, items: [metadataFile('labels'), metadataFile('annotations')]},
      name: 'istio-podinfo',
    },
    {name: 'istio-token', projected: {defaultMode: 420, sources: projection}},
    {configMap: {defaultMode: 420, name: 'istio-ca-root-cert'}, name: 'istiod-ca-cert'},
    {configMap: {defaultMode: 420, name: 'istio-ca-crl', optional: true}, name: 'istio-ca-crl'},
  ]
}

/** The annotation by which an injected pod is known. */
export function injectionStatus(isNative: boolean): string {
  return JSON.stringify({
    initContainers: isNative ? ['istio-init', 'istio-proxy'] : ['istio-init'],
    containers: isNative ? null : ['istio-proxy'],
    volumes: [
      'workload-socket',
      'credential-socket',
      'workload-certs',
      'istio-envoy',
      'istio-data',
      'istio-podinfo',
      'istio-token',
      'istiod-ca-cert',
      'istio-ca-crl',
    ],
    imagePullSecrets: null,
    revision: 'default',
  })
}

function metadataFile(field: string): unknown {
  return {fieldRef: {apiVersion: 'v1', fieldPath: `metadata.${field}`}, path: field}
}
