/** Fields of a Secret that are no key: what it is called, and its certificates under Kubernetes' names and Istio's. */
const KEPT = new Set([
  'kind',
  'type',
  'metadata\nname',
  'metadata\nnamespace',
  'data\ntls.crt',
  'data\nca.crt',
  'data\ncert',
  'data\ncacert',
])

/**
 * Whether the string at this path of a Secret may be kept. The names of certificates are those that istiod reads
 * (istio `pilot/pkg/credentials/kube/secrets.go`); all else in `data` may be a key.
 */
export function isKeptField(path: readonly string[]): boolean {
  return path.length <= 2 && KEPT.has(path.join('\n'))
}
