import type {Failure} from '../domain/failure.ts'
import type {Side, Source} from '../domain/question.ts'
import {ROOT_SECRET, WORKLOAD_SECRET} from '../domain/secret.ts'
import {isBesideSecrets, sideOfSource} from '../domain/source-side.ts'

/** Schemes of the names that istiod itself serves (`kubernetes://shop-cert`), all else comes from the agent. */
const CREDENTIAL = /^(?:kubernetes|kubernetes-gateway|configmap):\/\//

/** Of those, what istiod makes from a Secret. */
const KUBERNETES_SECRET = /^kubernetes(?:-gateway)?:\/\//

/** Of those, what is more than the CA of a Secret. */
const SERVER_CERTIFICATE = /^kubernetes(?:-gateway)?:\/\/(?!.*-cacert$)/

type Scope = readonly string[] | RegExp | 'every'

/** The secrets that a source can know. */
const SCOPES: Readonly<Record<Source, Scope>> = {
  'envoy-config-dump': 'every',
  'envoy-certs': 'every',
  'ztunnel-config-dump': 'every',
  'agent-metrics': [WORKLOAD_SECRET],
  'agent-files': [WORKLOAD_SECRET, ROOT_SECRET],
  'agent-sds': [WORKLOAD_SECRET, ROOT_SECRET],
  'node-agent-debug': 'every',
  'istiod-config-dump': CREDENTIAL,
  'istiod-metrics': [],
  'published-root': [ROOT_SECRET],
  'cert-manager': SERVER_CERTIFICATE,
  'kubernetes-secret': KUBERNETES_SECRET,
  'istiod-syncz': [],
  'cni-metrics': [],
  'daemon-set': [],
  'agent-ready': [],
  'proxy-ready': [],
  'cluster-rbac': [],
  debug: [],
}

/** Side that a failure is on; undefined where it is on both (the pod is gone). */
export function sideOfFailure(failure: Failure): Side | undefined {
  return failure.side ?? (failure.source === undefined ? undefined : sideOfSource(failure.source))
}

/** Whether a source can know a secret of this name. */
export function canSpeakFor(source: Source, name: string): boolean {
  const scope = SCOPES[source]
  if (scope === 'every') return true
  return scope instanceof RegExp ? scope.test(name) : scope.includes(name)
}

/** What a control plane says beside what its pods say, and how a side fares: without it no secret is less seen. */
export function isBesidePods({source}: Failure): boolean {
  return source === 'istiod-metrics' || isBesideSecrets(source)
}

/** No part of the answer is missing by it: a mesh need not publish its roots in a ConfigMap (spec, 7). */
export function isHarmless({source, code}: Failure): boolean {
  return source === 'published-root' && code === 'not-found'
}

/**
 * The roots may be published in two places, and a mesh need use neither: where the first is empty, to be kept from the
 * second is worth a word, and leaves nothing open that had to be seen.
 */
export function isOfSecondPlace({source, code}: Failure, all: readonly Failure[]): boolean {
  return source === 'published-root' && code === 'forbidden' && all.some(isHarmless)
}
