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
  'istiod-syncz': 'agent',
  'cni-metrics': 'agent',
  'daemon-set': 'agent',
  'agent-ready': 'agent',
  'proxy-ready': 'proxy',
  'cluster-rbac': 'agent',
  debug: 'proxy',
}

/** Side that a source mainly speaks for. */
export function sideOfSource(source: Source): Side {
  return SIDES[source]
}

/** What stands beside both sides, as a reference, and is neither of them. */
export function isReference(source: Source): boolean {
  return ['published-root', 'istiod-metrics', 'istiod-syncz', 'daemon-set', 'cluster-rbac'].includes(source)
}

const BESIDE_SECRETS: ReadonlySet<Source> = new Set([
  'istiod-syncz',
  'cni-metrics',
  'daemon-set',
  'agent-ready',
  'proxy-ready',
  'cluster-rbac',
])

/** Whether a source tells how a side fares, or what it may do, and nothing of the secrets that it holds. */
export function isBesideSecrets(source: Source | undefined): boolean {
  return source !== undefined && BESIDE_SECRETS.has(source)
}
