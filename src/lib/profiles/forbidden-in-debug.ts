/**
 * Words of paths that change, drain, profile or run something, at Envoy, pilot-agent, ztunnel and istiod. A profile
 * that lists one is refused, whoever wrote it.
 */
const FORBIDDEN_SEGMENTS = new Set([
  'quitquitquit',
  'drain',
  'drain_listeners',
  'healthcheck',
  'logging',
  'reset_counters',
  'reopen_logs',
  'runtime_modify',
  'cpuprofiler',
  'heapprofiler',
  'heap_dump',
  'tap',
  'pprof',
  'profile',
  'app-health',
  'app-lifecycle',
  'force_disconnect',
])

/** Query keys that change something with a GET. */
const FORBIDDEN_KEYS = new Set(['push', 'clear', 'reset', 'level', 'enable', 'save_to_disk', 'force_disconnect'])

/** The word that must not be asked for, or `undefined`. The path is taken as it stands, without a query. */
export function forbiddenInDebug(path: string, queryKeys: readonly string[]): string | undefined {
  const segment = path.split('/').find((part) => FORBIDDEN_SEGMENTS.has(part.toLowerCase()))
  return segment ?? queryKeys.find((key) => FORBIDDEN_KEYS.has(key.toLowerCase()))
}
