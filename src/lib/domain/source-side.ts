import type {Side, Source} from './question.ts'

const SIDES: Readonly<Record<Source, Side>> = {
  'envoy-config-dump': 'proxy',
  'envoy-certs': 'proxy',
  'ztunnel-config-dump': 'proxy',
  'agent-metrics': 'agent',
  'agent-files': 'agent',
  'agent-sds': 'agent',
  'node-agent-debug': 'agent',
  'istiod-config-dump': 'agent',
  'istiod-metrics': 'agent',
  'published-root': 'agent',
  'cert-manager': 'agent',
  'kubernetes-secret': 'agent',
  debug: 'proxy',
}

/** Side that a source mainly speaks for. */
export function sideOfSource(source: Source): Side {
  return SIDES[source]
}

/** What stands beside both sides, as a reference, and is neither of them. */
export function isReference(source: Source): boolean {
  return source === 'published-root' || source === 'istiod-metrics'
}
