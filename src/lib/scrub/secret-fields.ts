/** Strings of a Secret itself that are no key. */
const OWN: ReadonlySet<string> = new Set(['kind', 'type'])

/**
 * Strings one level down: what it is called, and its certificates under the names that istiod reads them by (istio
 * `pilot/pkg/credentials/kube/secrets.go`). All else in `data` may be a key.
 */
const INNER: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['metadata', new Set(['name', 'namespace'])],
  ['data', new Set(['tls.crt', 'ca.crt', 'cert', 'cacert'])],
])

/** Whether the string at this path of a Secret may be kept. */
export function isKeptField(path: readonly string[]): boolean {
  const [first = '', second = ''] = path
  if (path.length === 1) return OWN.has(first)
  return path.length === 2 && INNER.get(first)?.has(second) === true
}
