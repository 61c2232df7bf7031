import {splitPath, textAnswer} from './pod-port.ts'
import type {PodAnswer, PodPort} from './pod-port.ts'

/** A secret that istiod serves a proxy: name and PEM text. */
interface ServedSecret {
  readonly name: string
  readonly holds: 'certificate' | 'roots'
  readonly pem: () => Promise<string>
}

/** A proxy that is connected to an istiod. */
export interface ConnectedProxy {
  /** `pod.namespace`. */
  readonly id: string
  /** Those of its `kubernetes://` secrets that istiod finds; a sidecar has none. */
  readonly secrets: () => readonly ServedSecret[]
  /** Istio's; 1.31.0 if absent. */
  readonly version?: string
  /** A sidecar if absent. */
  readonly kind?: 'sidecar' | 'router' | 'ztunnel'
  /** How it took up the listeners that it was sent; absent where all is taken up. */
  readonly listeners?: () => 'taken-up' | 'stale' | {readonly refused: string}
}

const secretType = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret'
/** `[redacted]` in base64, which is what istiod writes in place of a key. */
const redacted = 'W3JlZGFjdGVkXQ=='

/** Ports of an istiod that these proxies are connected to. Debug endpoints are as open as from its own pod. */
export function istiodPorts(
  proxies: () => readonly ConnectedProxy[],
  /** When the root ends that it signs under, ms since 1970; absent where another CA signs. */
  rootEndsMs?: number,
  isReady: () => boolean = () => true,
): ReadonlyMap<number, PodPort> {
  return new Map<number, PodPort>([
    [
      8080,
      {
        bindsToPod: true,
        answer: ({path}) => (path === '/ready' ? textAnswer(isReady() ? 200 : 503, '') : notFound()),
      },
    ],
    [
      15014,
      {
        bindsToPod: true,
        answer: async ({path, clockMs}) => await answerMonitoring(path, proxies(), clockMs, rootEndsMs),
      },
    ],
  ])
}

async function answerMonitoring(
  path: string,
  proxies: readonly ConnectedProxy[],
  clockMs: number,
  rootEndsMs: number | undefined,
): Promise<PodAnswer> {
  const {pathname, query} = splitPath(path)
  switch (pathname) {
    case '/version':
      return textAnswer(200, '1.31.0-eed52ebb66ad-Clean')
    case '/metrics':
      return textAnswer(200, metrics(proxies, rootEndsMs), 'text/plain; version=0.0.4; charset=utf-8')
    case '/debug/syncz':
      return json(proxies.map((proxy) => syncOf(proxy, clockMs)))
    case '/debug/connections':
      return json(connectionsOf(proxies))
    case '/debug/config_dump':
      return await answerConfigDump(query, proxies)
    default:
      return notFound()
  }
}

/** The root's end as Go prints a gauge, with an exponent. */
function metrics(proxies: readonly ConnectedProxy[], rootEndsMs: number | undefined): string {
  const root = `# HELP citadel_server_root_cert_expiry_timestamp The unix timestamp, in seconds, when the root cert will expire.
# TYPE citadel_server_root_cert_expiry_timestamp gauge
citadel_server_root_cert_expiry_timestamp ${((rootEndsMs ?? 0) / 1000).toExponential()}
`
  return `${rootEndsMs === undefined ? '' : root}# HELP pilot_xds Number of endpoints connected to this pilot using XDS.
# TYPE pilot_xds gauge
pilot_xds{version="1.31.0"} ${String(proxies.length)}
`
}

/** The first connection whose name holds the text is meant (istio `pilot/pkg/xds/debug.go`). */
async function answerConfigDump(query: URLSearchParams, proxies: readonly ConnectedProxy[]): Promise<PodAnswer> {
  const wanted = query.get('proxyID') ?? ''
  if (wanted === '') return textAnswer(400, 'You must provide a proxyID in the query string')
  const index = proxies.findIndex((proxy, place) => connectionId(proxy, place).includes(wanted))
  const proxy = proxies[index]
  if (proxy === undefined) {
    return textAnswer(404, 'Proxy not connected to this Pilot instance. It may be connected to another instance.')
  }
  const secrets = await Promise.all(proxy.secrets().map(dumpSecret))
  if (query.get('types') === 'sds') return json(secrets.length === 0 ? {} : {configs: secrets})
  const entries = secrets.map((secret) => ({versionInfo: '2026-01-01T00:00:00Z/7', secret}))
  const section = {'@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump', dynamicActiveSecrets: entries}
  return json({configs: [{'@type': 'type.googleapis.com/envoy.admin.v3.BootstrapConfigDump'}, section]})
}

async function dumpSecret({name, holds, pem}: ServedSecret): Promise<Record<string, unknown>> {
  const bytes = {inlineBytes: Buffer.from(await pem()).toString('base64')}
  const content =
    holds === 'roots'
      ? {validationContext: {trustedCa: bytes}}
      : {tlsCertificate: {certificateChain: bytes, privateKey: {inlineBytes: redacted}}}
  return {'@type': secretType, name, ...content}
}

/** Types that a ztunnel watches, and an Envoy does (istio `pilot/pkg/xds/debug.go`, as of 1.23). */
const ztunnelTypes = ['istio.workload.Address', 'istio.security.Authorization']
const envoyTypes = [
  'envoy.config.cluster.v3.Cluster',
  'envoy.config.endpoint.v3.ClusterLoadAssignment',
  'envoy.config.listener.v3.Listener',
  'envoy.config.route.v3.RouteConfiguration',
]
const sentAgoMs = 90_000

function syncOf(proxy: ConnectedProxy, clockMs: number): unknown {
  const {id, version = '1.31.0', kind = 'sidecar', listeners} = proxy
  const took = listeners?.() ?? 'taken-up'
  const types = kind === 'ztunnel' ? ztunnelTypes : envoyTypes
  const resources = types.map((type, index) => {
    const sent = `2026-01-01T00:00:00Z/${String(index)}`
    const isOpen = took !== 'taken-up' && type.endsWith('.Listener')
    const state = {
      sent,
      ...(!isOpen && {acked: sent}),
      sentTime: new Date(clockMs - sentAgoMs).toISOString(),
      ...(isOpen && took !== 'stale' && {lastError: took.refused}),
    }
    return [`type.googleapis.com/${type}`, state] as const
  })
  return {
    cluster_id: 'Kubernetes',
    proxy: id,
    proxy_type: kind,
    istio_version: version,
    resources: Object.fromEntries(resources),
  }
}

function connectionsOf(proxies: readonly ConnectedProxy[]): unknown {
  const clients = proxies.map((proxy, place) => ({
    connectionId: connectionId(proxy, place),
    connectedAt: '2026-01-01T00:00:00Z',
    address: `10.244.0.1:${String(40_000 + place)}`,
  }))
  return {totalClients: clients.length, ...(clients.length > 0 && {clients})}
}

function connectionId({id}: ConnectedProxy, place: number): string {
  return `${id}-${String(place + 1)}`
}

function json(value: unknown): PodAnswer {
  return textAnswer(200, JSON.stringify(value), 'application/json')
}

function notFound(): PodAnswer {
  return textAnswer(404, '404 page not found\n')
}
