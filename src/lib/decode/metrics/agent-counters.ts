import type {CounterName} from '../../domain/health-seen.ts'
import {parseSample} from './parse-sample.ts'

interface Counter {
  readonly name: CounterName
  /** The label that it has to carry. */
  readonly label?: readonly [name: string, value: string]
}

/**
 * pilot-agent's own counters (istio `pkg/istio-agent/metrics`, `security/pkg/nodeagent/cache/monitoring.go`). It does not
 * add `_total`; where a version does, it is the same. Connections that istiod ends as it should (`cancelled`) count for
 * nothing.
 */
const COUNTERS: Readonly<Record<string, Counter>> = {
  istio_agent_num_outgoing_requests: {name: 'csrs-sent', label: ['request_type', 'csr']},
  istio_agent_num_failed_outgoing_requests: {name: 'csrs-failed', label: ['request_type', 'csr']},
  istio_agent_istiod_connection_failures: {name: 'istiod-connection-failures'},
  istio_agent_istiod_connection_terminations: {name: 'istiod-connection-errors', label: ['type', 'error']},
  istio_agent_scrape_failures: {name: 'scrape-failures'},
}

/** Where nothing was counted. */
export const NO_COUNTS: Readonly<Record<CounterName, number>> = {
  'csrs-sent': 0,
  'csrs-failed': 0,
  'istiod-connection-failures': 0,
  'istiod-connection-errors': 0,
  'scrape-failures': 0,
}

/** What a line adds to a counter that matters here; `metric` is the name that it begins with. */
export function counterOf(
  metric: string,
  line: string,
): {readonly name: CounterName; readonly value: number} | undefined {
  const key = metric.replace(/_total$/, '')
  const counter = Object.hasOwn(COUNTERS, key) ? COUNTERS[key] : undefined
  if (counter === undefined) return undefined
  const sample = parseSample(line)
  if (sample === undefined || !Number.isFinite(sample.value) || sample.value < 0) return undefined
  const {name, label} = counter
  return label === undefined || sample.labels[label[0]] === label[1] ? {name, value: sample.value} : undefined
}
