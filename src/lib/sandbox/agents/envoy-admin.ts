import {X509Certificate} from 'node:crypto'
import {envoyJson, envoyText} from './envoy-answers.ts'
import {answerConfigDump} from './envoy-config-dump.ts'
import type {EnvoyModel} from './envoy-model.ts'
import type {EnvoySecret} from './envoy-secret.ts'
import {splitPath} from './pod-port.ts'
import type {PodAnswer, PodPort, PodRequest} from './pod-port.ts'

/** Paths that change a proxy; Envoy answers a GET on them with 405. */
const mutations = new Map([
  ['/cpuprofiler', 'enable/disable the CPU profiler'],
  ['/drain_listeners', 'drain listeners'],
  ['/healthcheck/fail', 'cause the server to fail health checks'],
  ['/healthcheck/ok', 'cause the server to pass health checks'],
  ['/logging', 'query/change logging levels'],
  ['/quitquitquit', 'exit the server'],
  ['/reset_counters', 'reset all counters to zero'],
])
const readings = new Map([
  ['/', 'Admin home page'],
  ['/certs', 'print certs on machine'],
  ['/clusters', 'upstream cluster status'],
  ['/config_dump', 'dump current Envoy configs (experimental)'],
  ['/help', 'print out list of admin commands'],
  ['/listeners', 'print listener info'],
  ['/ready', 'print server state, return 200 if LIVE, otherwise return 503'],
  ['/server_info', 'print server version/status information'],
  ['/stats', 'print server stats'],
  ['/stats/prometheus', 'print server stats in prometheus format'],
])

/** Envoy's admin interface: loopback only, as Istio configures it. `onMutation` hears of every attempt to change it. */
export function envoyAdmin(model: EnvoyModel, onMutation: (path: string) => void): PodPort {
  return {
    bindsToPod: false,
    async answer(request) {
      const {pathname, query} = splitPath(request.path)
      if (mutations.has(pathname)) return mutate(pathname, request, onMutation)
      switch (pathname) {
        case '/config_dump':
          return await answerConfigDump(model, query)
        case '/certs':
          return envoyJson(await certificatesOf(model.secrets(), request.clockMs))
        case '/ready':
          return envoyText(model.serverState() === 'LIVE' ? 200 : 503, `${model.serverState()}\n`)
        case '/server_info':
          return envoyJson(serverInfo(model, request.clockMs))
        case '/stats':
          return query.get('format') === 'json'
            ? envoyJson({stats: envoyStats(model).map(([name, value]) => ({name, value}))})
            : envoyText(
                200,
                envoyStats(model)
                  .map(([name, value]) => `${name}: ${String(value)}\n`)
                  .join(''),
              )
        case '/stats/prometheus':
          return envoyText(200, envoyPrometheus(model))
        case '/clusters':
          return envoyJson({cluster_statuses: [{name: 'xds-grpc', host_statuses: []}]})
        case '/listeners':
          return envoyJson({listener_statuses: [{name: 'virtualInbound'}]})
        case '/':
        case '/help':
          return envoyText(200, commandList('admin commands are:\n'))
        default:
          return envoyText(404, commandList('invalid path. admin commands are:\n'))
      }
    },
  }
}

function mutate(path: string, request: PodRequest, onMutation: (path: string) => void): PodAnswer {
  onMutation(path)
  return request.method === 'POST'
    ? envoyText(200, 'OK\n')
    : envoyText(405, `Method ${request.method} not allowed, POST required.`)
}

function commandList(head: string): string {
  const lines = [
    ...[...readings].map(([path, help]) => `  ${path}: ${help}\n`),
    ...[...mutations].map(([path, help]) => `  ${path} (POST): ${help}\n`),
  ]
  return head + lines.toSorted().join('')
}

/** One entry a TLS context, so the same certificates come back several times (envoy `admin/certs.proto`). */
async function certificatesOf(secrets: readonly EnvoySecret[], nowMs: number): Promise<unknown> {
  const leavesOf = async (holds: EnvoySecret['holds']): Promise<unknown[]> => {
    const texts = await Promise.all(
      secrets
        .filter((candidate) => candidate.holds === holds)
        .map(async ({pem, loadedPem}) => await (loadedPem ?? pem)?.()),
    )
    return texts
      .filter((text) => text !== undefined)
      .map((text) => certificateDetails(new X509Certificate(text), nowMs))
  }
  const caCert = (await leavesOf('roots')).slice(0, 1)
  const entries = (await leavesOf('certificate')).map((leaf) => ({ca_cert: caCert, cert_chain: [leaf]}))
  const [workload] = entries
  return {certificates: workload === undefined ? [] : [...entries, workload, workload]}
}

function certificateDetails(certificate: X509Certificate, nowMs: number): unknown {
  const names = (certificate.subjectAltName ?? '').split(', ').filter((name) => name !== '')
  const days = Math.max(0, Math.floor((certificate.validToDate.getTime() - nowMs) / 86_400_000))
  return {
    path: '<inline>',
    serial_number: certificate.serialNumber.toLowerCase(),
    subject_alt_names: names.map((name) =>
      name.startsWith('URI:') ? {uri: name.slice(4)} : {dns: name.replace(/^DNS:/, '')},
    ),
    days_until_expiration: String(days),
    valid_from: certificate.validFromDate.toISOString().replace('.000Z', 'Z'),
    expiration_time: certificate.validToDate.toISOString().replace('.000Z', 'Z'),
  }
}

function serverInfo(model: EnvoyModel, nowMs: number): unknown {
  const uptime = `${String(Math.max(0, Math.floor((nowMs - model.startedMs) / 1000)))}s`
  return {
    version: '9e5580933739775e8bce696a57a2e1bc99368f23/1.40.0/Clean/RELEASE/BoringSSL',
    state: 'LIVE',
    uptime_current_epoch: uptime,
    uptime_all_epochs: uptime,
    hot_restart_version: 'disabled',
    command_line_options: {concurrency: 2, config_path: 'etc/istio/proxy/envoy-rev.json', drain_time: '45s'},
    node: {id: model.nodeId, cluster: model.cluster, metadata: {ISTIO_VERSION: model.istioVersion}},
  }
}

/** The few stats that Istio's bootstrap keeps and that a reader may want. */
function envoyStats(model: EnvoyModel): readonly (readonly [string, number])[] {
  const isReady = model.secrets().every(({pem}) => pem !== undefined)
  return [
    ['cluster_manager.cds.update_rejected', 0],
    ['cluster_manager.cds.update_success', 4],
    ['listener_manager.lds.update_rejected', 0],
    ['listener_manager.lds.update_success', isReady ? 3 : 1],
    ['listener_manager.workers_started', 1],
    ['server.days_until_first_cert_expiring', 0],
    ['server.live', 1],
    ['server.state', 0],
  ]
}

/** `/stats/prometheus`, which pilot-agent merges into its own metrics. */
export function envoyPrometheus(model: EnvoyModel): string {
  return envoyStats(model)
    .map(([name, value]) => {
      const metric = `envoy_${name.replaceAll('.', '_')}`
      return `# TYPE ${metric} gauge\n${metric}{} ${String(value)}\n`
    })
    .join('')
}
