import type {Observation} from '../../domain/observation.ts'
import type {ApiForm} from '../../domain/question.ts'
import type {Later} from '../source-spec.ts'

/** What istiod calls its bundle (istio `pilot/pkg/bootstrap/clustertrustbundle.go`). */
const NAME = 'istio.io:istiod-ca:root-cert'

/** Versions of the API, the one that will stay first; a cluster serves some of them, or none. */
const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'] as const

/**
 * Where a namespace has no ConfigMap of the mesh's roots, istiod may publish them once for the whole cluster: so all
 * its namespaces share this question.
 */
export function trustBundle(seen: readonly Observation[], round: number): Later {
  const isAbsent = seen.some(
    (one) => one.type === 'unusable' && one.failure.source === 'published-root' && one.failure.code === 'not-found',
  )
  if (round !== 1 || !isAbsent) return {asks: []}
  const [first, ...rest] = VERSIONS.map((version, index): ApiForm => ({
    type: 'api',
    path: `/apis/certificates.k8s.io/${version}/clustertrustbundles/${encodeURIComponent(NAME)}`,
    refusals: index + 1 < VERSIONS.length ? [404] : [],
  }))
  return {asks: first === undefined ? [] : [[first, ...rest]]}
}
