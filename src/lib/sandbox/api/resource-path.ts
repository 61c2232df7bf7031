import {findResourceType} from './resource-types.ts'
import type {ResourceType} from './resource-types.ts'

/** What an API path names. */
export interface ResourcePath {
  readonly type: ResourceType
  /** Empty for the whole cluster. */
  readonly namespace: string
  /** Empty for a list. */
  readonly name: string
  /** `exec`, `portforward`, `proxy`; empty for the object itself. */
  readonly subresource: string
  /** What follows the subresource, from `/`; for `proxy`. */
  readonly rest: string
}

/** Reads `/api/v1/…` and `/apis/GROUP/VERSION/…`; `undefined` where the path names no object of a known type. */
export function readResourcePath(pathname: string): ResourcePath | undefined {
  const [, root, ...parts] = pathname.split('/').map(decodeURIComponent)
  const group = root === 'apis' ? (parts.shift() ?? '') : ''
  const version = parts.shift() ?? ''
  if (root !== 'api' && root !== 'apis') return undefined
  // `/namespaces/shop` is the object, `/namespaces/shop/pods` is what stands in it.
  const namespace = parts[0] === 'namespaces' && parts.length > 2 ? (parts[1] ?? '') : ''
  const [plural = '', name = '', subresource = '', ...rest] = namespace === '' ? parts : parts.slice(2)
  const type = findResourceType(group, version, plural)
  if (type === undefined || (name !== '' && type.isNamespaced && namespace === '')) return undefined
  return {type, namespace, name, subresource, rest: `/${rest.join('/')}`}
}
