import type {EnvoyModel} from './envoy-model.ts'
import {dumpEnvoySecret} from './envoy-secret.ts'

/** A section of a config dump, without its `@type`. */
export type Section = Record<string, unknown>

/** Top-level fields that each section may have, in Envoy's order of sections (envoy `admin/v3/config_dump.proto`). */
const sectionFields = {
  BootstrapConfigDump: ['bootstrap', 'last_updated'],
  ClustersConfigDump: ['version_info', 'static_clusters', 'dynamic_active_clusters', 'dynamic_warming_clusters'],
  ListenersConfigDump: ['version_info', 'static_listeners', 'dynamic_listeners'],
  ScopedRoutesConfigDump: ['inline_scoped_route_configs', 'dynamic_scoped_route_configs'],
  RoutesConfigDump: ['static_route_configs', 'dynamic_route_configs'],
  SecretsConfigDump: ['static_secrets', 'dynamic_active_secrets', 'dynamic_warming_secrets'],
} as const

export type SectionName = keyof typeof sectionFields

export const sectionNames: readonly SectionName[] = [
  'BootstrapConfigDump',
  'ClustersConfigDump',
  'ListenersConfigDump',
  'ScopedRoutesConfigDump',
  'RoutesConfigDump',
  'SecretsConfigDump',
]

/** Fields by which a section can be masked. */
export function fieldsOf(name: SectionName): readonly string[] {
  return sectionFields[name]
}

/** A section as it stands now; `keeps` decides by the name of each cluster or secret. */
export async function sectionOf(
  model: EnvoyModel,
  name: SectionName,
  keeps: (name: string) => boolean,
): Promise<Section> {
  if (name === 'BootstrapConfigDump') return bootstrapSection(model)
  if (name === 'ClustersConfigDump') {
    const clusters = Array.from({length: model.extraClusters}, (_, index) => clusterAt(index))
    return {version_info: configVersion, dynamic_active_clusters: clusters.filter(({cluster}) => keeps(cluster.name))}
  }
  if (name === 'ListenersConfigDump') return {version_info: configVersion, dynamic_listeners: [listenerOf(model)]}
  if (name === 'SecretsConfigDump') return await secretsSection(model, keeps)
  return {}
}

const configVersion = '2026-01-01T00:00:00Z/7'

async function secretsSection(model: EnvoyModel, keeps: (name: string) => boolean): Promise<Section> {
  const secrets = model.secrets().filter(({name}) => keeps(name))
  const active = secrets.filter(({pem, isListedActive}) => pem !== undefined || isListedActive === true)
  const warming = secrets.filter((secret) => !active.includes(secret))
  // protobuf JSON leaves out empty lists.
  return {
    ...(active.length > 0 ? {dynamic_active_secrets: await Promise.all(active.map(dumpEnvoySecret))} : {}),
    ...(warming.length > 0 ? {dynamic_warming_secrets: await Promise.all(warming.map(dumpEnvoySecret))} : {}),
  }
}

function bootstrapSection(model: EnvoyModel): Section {
  return {
    bootstrap: {
      node: {
        id: model.nodeId,
        cluster: model.cluster,
        metadata: {ISTIO_VERSION: model.istioVersion, MESH_ID: 'cluster.local', CLUSTER_ID: 'Kubernetes'},
      },
      static_resources: {clusters: [{name: 'sds-grpc', type: 'STATIC', connect_timeout: '1s'}]},
      admin: {address: {socket_address: {address: '127.0.0.1', port_value: 15000}}},
    },
    last_updated: new Date(model.startedMs).toISOString(),
  }
}

function listenerOf(model: EnvoyModel): Section {
  return {
    name: 'virtualInbound',
    active_state: {
      version_info: configVersion,
      listener: {
        '@type': 'type.googleapis.com/envoy.config.listener.v3.Listener',
        name: 'virtualInbound',
        address: {socket_address: {address: '0.0.0.0', port_value: 15006}},
      },
      last_updated: new Date(model.startedMs).toISOString(),
    },
  }
}

/** One of the clusters that make a dump large. */
export function clusterAt(index: number): {readonly cluster: Section & {readonly name: string}} {
  const name = `outbound|8080||service-${String(index)}.shop.svc.cluster.local`
  const cluster = {
    '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
    name,
    type: 'EDS',
    eds_cluster_config: {eds_config: {ads: {}, resource_api_version: 'V3'}, service_name: name},
    connect_timeout: '10s',
    circuit_breakers: {thresholds: [{max_connections: 4294967295, max_requests: 4294967295, track_remaining: true}]},
    transport_socket_matches: [
      {name: 'tlsMode-istio', match: {tlsMode: 'istio'}},
      {name: 'tlsMode-disabled', match: {}},
    ],
  }
  return {cluster}
}
