import {splitPath, textAnswer} from './pod-port.ts'
import type {PodAnswer, PodPort, PodRequest} from './pod-port.ts'

/** What a simulated pilot-agent is. */
export interface PilotAgentModel {
  /** End of the agent's own `default` certificate; `undefined` with mounted certificates, which have no metric. */
  readonly notAfterMs: () => number | undefined
  readonly isReady: () => boolean
  /** What it has counted beside its first certificate request, by sample; told anew at each reading. */
  readonly counts?: () => Readonly<Record<string, number>>
  /** Envoy's metrics, merged in after the agent's own; absent without an Envoy. */
  readonly envoyMetrics?: () => string
}

/** The status port 15020, on all interfaces (istio `pilot/cmd/pilot-agent/status/server.go`). */
export function pilotAgentStatus(model: PilotAgentModel, onMutation: (path: string) => void): PodPort {
  return {
    bindsToPod: true,
    answer(request) {
      const {pathname} = splitPath(request.path)
      switch (pathname) {
        case '/healthz/ready':
          // An empty body either way: the reason stands in the agent's log only.
          return textAnswer(model.isReady() ? 200 : 503, '')
        case '/metrics':
        case '/stats/prometheus':
          return metricsAnswer(model, request.clockMs)
        case '/quitquitquit':
        case '/drain':
          return mutate(pathname, request, onMutation)
        default:
          return textAnswer(404, '404 page not found\n')
      }
    },
  }
}

/** Envoy's health listener on 15021 asks the agent; it knows one path. */
export function envoyHealth(model: PilotAgentModel): PodPort {
  return {
    bindsToPod: true,
    answer: (request) =>
      splitPath(request.path).pathname === '/healthz/ready'
        ? textAnswer(model.isReady() ? 200 : 503, '', undefined, {server: 'envoy'})
        : textAnswer(404, '', undefined, {server: 'envoy'}),
  }
}

/** Envoy's own metrics on 15090. */
export function envoyMetricsListener(envoyMetrics: () => string): PodPort {
  return {
    bindsToPod: true,
    answer: (request) =>
      splitPath(request.path).pathname === '/stats/prometheus'
        ? textAnswer(200, envoyMetrics(), 'text/plain; charset=UTF-8', {server: 'envoy'})
        : textAnswer(404, '', undefined, {server: 'envoy'}),
  }
}

function mutate(path: string, request: PodRequest, onMutation: (path: string) => void): PodAnswer {
  onMutation(path)
  if (!request.fromLoopback) return textAnswer(403, 'Only requests from localhost are allowed\n')
  return request.method === 'POST' ? textAnswer(200, 'OK') : textAnswer(405, 'Method Not Allowed\n')
}

/** The agent's own series come first; Envoy's and the application's are asked and written after them. */
function metricsAnswer(model: PilotAgentModel, nowMs: number): PodAnswer {
  const notAfterMs = model.notAfterMs()
  const expiry =
    notAfterMs === undefined
      ? ''
      : `# HELP istio_agent_cert_expiry_seconds The time remaining, in seconds, before the certificate chain will expire. A negative value indicates the cert is expired.
# TYPE istio_agent_cert_expiry_seconds gauge
istio_agent_cert_expiry_seconds{resource_name="default"} ${String((notAfterMs - nowMs) / 1000)}
`
  const counted = Object.entries(model.counts?.() ?? {})
    .map(([sample, count]) => `${sample} ${String(count)}\n`)
    .join('')
  const text = expiry + agentSeries + counted + (model.envoyMetrics?.() ?? '')
  return textAnswer(200, text, 'text/plain; version=0.0.4; charset=utf-8; escaping=values')
}

const agentSeries = `# HELP istio_agent_go_goroutines Number of goroutines that currently exist.
# TYPE istio_agent_go_goroutines gauge
istio_agent_go_goroutines 59
# HELP istio_agent_go_info Information about the Go environment.
# TYPE istio_agent_go_info gauge
istio_agent_go_info{version="go1.26.8"} 1
# HELP istio_agent_num_outgoing_requests Number of total outgoing requests (e.g. to a token exchange server, CA, etc.)
# TYPE istio_agent_num_outgoing_requests counter
istio_agent_num_outgoing_requests{request_type="csr"} 1
# HELP istio_agent_process_resident_memory_bytes Resident memory size in bytes.
# TYPE istio_agent_process_resident_memory_bytes gauge
istio_agent_process_resident_memory_bytes 3.9170048e+07
# HELP istio_agent_scrapes_total The total number of scrapes.
# TYPE istio_agent_scrapes_total counter
istio_agent_scrapes_total 1
# HELP istio_agent_startup_duration_seconds The time from the process starting to being marked ready.
# TYPE istio_agent_startup_duration_seconds gauge
istio_agent_startup_duration_seconds 5.714785722
# HELP istio_agent_xds_proxy_requests The total number of Xds Proxy Requests
# TYPE istio_agent_xds_proxy_requests counter
istio_agent_xds_proxy_requests 8
# HELP istio_agent_xds_proxy_responses The total number of Xds Proxy Responses
# TYPE istio_agent_xds_proxy_responses counter
istio_agent_xds_proxy_responses 4
`
