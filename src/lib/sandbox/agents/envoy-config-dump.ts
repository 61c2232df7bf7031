import {dumpEnvoySecret} from './envoy-secret.ts'
import type {EnvoySecret} from './envoy-secret.ts'
import {textAnswer} from './pod-port.ts'
import type {PodAnswer} from './pod-port.ts'

/** What a simulated Envoy is: enough to answer its admin interface. */
export interface EnvoyModel {
  /** Envoy node id, `sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local`. */
  readonly nodeId: string
  readonly cluster: string
  readonly istioVersion: string
  readonly startedMs: number
  /** As they stand now: a test may change what it returns between two readings. */
  readonly secrets: () => readonly EnvoySecret[]
  /** Clusters in the dump besides `xds-grpc`; a dump of megabytes is made of them. */
  readonly extraClusters: number
}

type Section = Record<string, unknown>
const admin = 'type.googleapis.com/envoy.admin.v3.'

/** Top-level fields that each section may have, in Envoy's order of sections. */
const sectionFields = {
  BootstrapConfigDump: ['bootstrap', 'last_updated'],
  ClustersConfigDump: ['version_info', 'static_clusters', 'dynamic_active_clusters', 'dynamic_warming_clusters'],
  ListenersConfigDump: ['version_info', 'static_listeners', 'dynamic_listeners'],
  ScopedRoutesConfigDump: ['inline_scoped_route_configs', 'dynamic_scoped_route_configs'],
  RoutesConfigDump: ['static_route_configs', 'dynamic_route_configs'],
  SecretsConfigDump: ['static_secrets', 'dynamic_active_secrets', 'dynamic_warming_secrets'],
} as const
type SectionName = keyof typeof sectionFields

/**
 * Answers `/config_dump` in the shapes of Envoy 1.40, refusals included
 * (envoy `source/server/admin/config_dump_handler.cc`).
 */
export async function answerConfigDump(model: EnvoyModel, query: URLSearchParams): Promise<PodAnswer> {
  const resource = query.get('resource') ?? ''
  const mask = (query.get('mask') ?? '').split(',').filter((name) => name !== '')
  const pattern = query.get('name_regex') ?? ''
  let keeps: (name: string) => boolean = () => true
  if (pattern !== '') {
    try {
      const expression = new RegExp(`^(?:${pattern})$`, 'u')
      keeps = (name) => expression.test(name)
    } catch {
      return plain(400, `Error while parsing name_regex from ${pattern}: INVALID_ARGUMENT\n`)
    }
  }
  if (resource !== '') return await answerResource(model, resource, mask, keeps)
  if (mask.length === 0) return wholeDump(model, keeps)
  const names = sectionNames.filter((name) => mask.every((field) => fieldsOf(name).includes(field)))
  if (names.length === 0) {
    const paths = mask.map((field) => `paths: "${field}"\n`).join('')
    return plain(400, `FieldMask ${paths} could not be successfully applied to any configs.`)
  }
  const configs = []
  for (const name of names) {
    const section = await sectionOf(model, name, keeps)
    const kept = Object.fromEntries(Object.entries(section).filter(([field]) => mask.includes(field)))
    if (Object.keys(kept).length > 0) configs.push({'@type': `${admin}${name}`, ...kept})
  }
  return json(configs.length === 0 ? {} : {configs})
}

const sectionNames: readonly SectionName[] = [
  'BootstrapConfigDump',
  'ClustersConfigDump',
  'ListenersConfigDump',
  'ScopedRoutesConfigDump',
  'RoutesConfigDump',
  'SecretsConfigDump',
]

function fieldsOf(name: SectionName): readonly string[] {
  return sectionFields[name]
}

async function answerResource(
  model: EnvoyModel,
  resource: string,
  mask: readonly string[],
  keeps: (name: string) => boolean,
): Promise<PodAnswer> {
  const name = sectionNames.find((section) => fieldsOf(section).includes(resource))
  if (name === undefined) return plain(404, `${resource} not found in config dump`)
  if (['bootstrap', 'last_updated', 'version_info'].includes(resource)) {
    return plain(400, `${resource} is not a repeated field. Use ?mask=${resource} to get only this field`)
  }
  const elements = (await sectionOf(model, name, keeps))[resource]
  if (!Array.isArray(elements)) return json({})
  const type = name === 'SecretsConfigDump' ? (resource === 'static_secrets' ? '.StaticSecret' : '.DynamicSecret') : ''
  const configs = (elements as Section[]).map((element) => ({
    '@type': `${admin}${name}${type}`,
    ...(mask.length === 0
      ? element
      : Object.fromEntries(Object.entries(element).filter(([field]) => mask.includes(field)))),
  }))
  return json({configs})
}

/** The whole dump goes out section by section, so that a huge one is never held whole. */
function wholeDump(model: EnvoyModel, keeps: (name: string) => boolean): PodAnswer {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{\n "configs": [\n')
    for (const [index, name] of sectionNames.entries()) {
      const separator = index === 0 ? '' : ',\n'
      if (name === 'ClustersConfigDump') {
        yield Buffer.from(separator)
        yield* clusterChunks(model, keeps)
        continue
      }
      const section = {'@type': `${admin}${name}`, ...(await sectionOf(model, name, keeps))}
      yield Buffer.from(separator + JSON.stringify(section, undefined, 1))
    }
    yield Buffer.from('\n ]\n}\n')
  }
  return {status: 200, headers: envoyHeaders('application/json'), body: chunks()}
}

function* clusterChunks(model: EnvoyModel, keeps: (name: string) => boolean): Generator<Uint8Array> {
  yield Buffer.from(`{"@type": "${admin}ClustersConfigDump", "version_info": "2026-01-01T00:00:00Z/7",`)
  yield Buffer.from(' "static_clusters": [], "dynamic_active_clusters": [\n')
  const batch = 64
  let first = true
  for (let start = 0; start < model.extraClusters; start += batch) {
    const end = Math.min(start + batch, model.extraClusters)
    const texts = []
    for (let index = start; index < end; index += 1) {
      const cluster = clusterOf(index)
      if (keeps(cluster.cluster.name)) texts.push(JSON.stringify(cluster, undefined, 1))
    }
    if (texts.length === 0) continue
    yield Buffer.from((first ? '' : ',\n') + texts.join(',\n'))
    first = false
  }
  yield Buffer.from('\n]}')
}

async function sectionOf(model: EnvoyModel, name: SectionName, keeps: (name: string) => boolean): Promise<Section> {
  switch (name) {
    case 'BootstrapConfigDump':
      return {bootstrap: bootstrapOf(model), last_updated: new Date(model.startedMs).toISOString()}
    case 'ClustersConfigDump': {
      const clusters = Array.from({length: model.extraClusters}, (_, index) => clusterOf(index))
      return {dynamic_active_clusters: clusters.filter(({cluster}) => keeps(cluster.name))}
    }
    case 'ListenersConfigDump':
      return {version_info: '2026-01-01T00:00:00Z/7', dynamic_listeners: [listenerOf(model)]}
    case 'ScopedRoutesConfigDump':
    case 'RoutesConfigDump':
      return {}
    case 'SecretsConfigDump':
      return await secretsSection(model, keeps)
  }
}

async function secretsSection(model: EnvoyModel, keeps: (name: string) => boolean): Promise<Section> {
  const secrets = model.secrets().filter(({name}) => keeps(name))
  const active = secrets.filter(({pem}) => pem !== undefined)
  const warming = secrets.filter(({pem}) => pem === undefined)
  // protobuf JSON leaves out empty lists.
  return {
    ...(active.length > 0 ? {dynamic_active_secrets: await Promise.all(active.map(dumpEnvoySecret))} : {}),
    ...(warming.length > 0 ? {dynamic_warming_secrets: await Promise.all(warming.map(dumpEnvoySecret))} : {}),
  }
}

function bootstrapOf(model: EnvoyModel): Section {
  return {
    node: {
      id: model.nodeId,
      cluster: model.cluster,
      metadata: {ISTIO_VERSION: model.istioVersion, MESH_ID: 'cluster.local', CLUSTER_ID: 'Kubernetes'},
    },
    admin: {address: {socket_address: {address: '127.0.0.1', port_value: 15000}}, profile_path: '/var/lib/istio/data/envoy.prof'},
    static_resources: {clusters: [{name: 'sds-grpc', type: 'STATIC', connect_timeout: '1s'}]},
  }
}

function listenerOf(model: EnvoyModel): Section {
  return {
    name: 'virtualInbound',
    active_state: {
      version_info: '2026-01-01T00:00:00Z/7',
      listener: {
        '@type': 'type.googleapis.com/envoy.config.listener.v3.Listener',
        name: 'virtualInbound',
        address: {socket_address: {address: '0.0.0.0', port_value: 15006}},
      },
      last_updated: new Date(model.startedMs).toISOString(),
    },
  }
}

function clusterOf(index: number): {readonly version_info: string; readonly cluster: Section & {readonly name: string}} {
  const name = `outbound|8080||service-${String(index)}.shop.svc.cluster.local`
  return {
    version_info: '2026-01-01T00:00:00Z/7',
    cluster: {
      '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
      name,
      type: 'EDS',
      eds_cluster_config: {eds_config: {ads: {}, resource_api_version: 'V3'}, service_name: name},
      connect_timeout: '10s',
      circuit_breakers: {thresholds: [{max_connections: 4294967295, max_requests: 4294967295, track_remaining: true}]},
      transport_socket_matches: [{name: 'tlsMode-istio', match: {tlsMode: 'istio'}}, {name: 'tlsMode-disabled', match: {}}],
    },
  }
}

/** Headers of Envoy's admin answers. */
export function envoyHeaders(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'cache-control': 'no-cache, max-age=0',
    'x-content-type-options': 'nosniff',
    server: 'envoy',
  }
}

function json(value: unknown): PodAnswer {
  return {
    status: 200,
    headers: envoyHeaders('application/json'),
    body: Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`),
  }
}

function plain(status: number, text: string): PodAnswer {
  return textAnswer(status, text, 'text/plain; charset=UTF-8', envoyHeaders('text/plain; charset=UTF-8'))
}
