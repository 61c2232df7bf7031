import type {PodRef} from '../domain/pod.ts'

/** `shop/cart-1`, for messages; the context is said elsewhere. */
export function podName(pod: PodRef): string {
  return `${pod.namespace}/${pod.name}`
}

/** `/api/v1/namespaces/shop/pods/cart-1/exec?container=…`: a subresource of a pod, with its query in the order given. */
export function podPath(
  pod: PodRef,
  subresource: string,
  query: readonly (readonly [name: string, value: string])[] = [],
): string {
  // A colon before a port is written as kubectl writes it.
  const name = encodeURIComponent(pod.name).replaceAll('%3A', ':')
  const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${name}/${subresource}`
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return search === '' ? path : `${path}?${search}`
}

/** What a path of the API server is about. */
export interface ApiSubject {
  /** API group; absent for the core group. */
  readonly group?: string
  readonly namespace?: string
  readonly resource: string
  readonly name?: string
  readonly subresource?: string
}

/** Reads a path of the API server back into its parts; `undefined` where it names no resource. */
export function readApiPath(path: string): ApiSubject | undefined {
  const [pathname = ''] = path.split('?')
  const found =
    /\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?/u.exec(
      pathname,
    )?.groups
  if (found?.['resource'] === undefined) return undefined
  const {group, namespace, resource, name, subresource} = found
  return {
    resource,
    ...(group !== undefined && {group}),
    ...(namespace !== undefined && {namespace: decode(namespace)}),
    ...(name !== undefined && {name: decode(name)}),
    ...(subresource !== undefined && {subresource}),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
