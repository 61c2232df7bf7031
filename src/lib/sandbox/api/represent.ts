import type {StoredObject} from '../world.ts'
import type {ListPage} from './list-page.ts'
import type {ResourceType} from './resource-types.ts'
import {apiVersionOf, metadataOf, tableOf} from './table.ts'

/** The form in which a client wants objects. */
export type Representation = 'full' | 'table' | 'metadata'

/** The first form in the `Accept` header that the sandbox can give; plain JSON else. */
export function chooseRepresentation(accept: string): Representation {
  for (const part of accept.split(',')) {
    if (part.includes('as=Table')) return 'table'
    if (part.includes('as=PartialObjectMetadata')) return 'metadata'
    if (part.trim().startsWith('application/json')) return 'full'
  }
  return 'full'
}

/** A page as JSON text. Objects are written out here and nowhere kept. */
export function writePage(
  type: ResourceType,
  page: ListPage,
  representation: Representation,
  include: string,
  nowMs: number,
): string {
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continueToken === undefined ? {} : {continue: page.continueToken}),
    ...(page.remaining === undefined ? {} : {remainingItemCount: page.remaining}),
  }
  if (representation === 'full') {
    const head = `{"kind":"${type.kind}List","apiVersion":"${apiVersionOf(type)}","metadata":${JSON.stringify(metadata)}`
    return `${head},"items":[${page.objects.map(({json}) => json()).join(',')}]}\n`
  }
  if (representation === 'table') {
    const table = tableOf(type, page.objects.map(parse), include, nowMs)
    return `${JSON.stringify({kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, ...table})}\n`
  }
  const items = page.objects.map((object) => metadataOf(parse(object)))
  return `${JSON.stringify({kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items})}\n`
}

/** One object as JSON text. */
export function writeObject(
  type: ResourceType,
  object: StoredObject,
  representation: Representation,
  include: string,
  nowMs: number,
): string {
  if (representation === 'full') {
    return `{"kind":"${type.kind}","apiVersion":"${apiVersionOf(type)}",${object.json().slice(1)}\n`
  }
  if (representation === 'table') {
    const table = tableOf(type, [parse(object)], include, nowMs)
    return `${JSON.stringify({kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, ...table})}\n`
  }
  return `${JSON.stringify(metadataOf(parse(object)))}\n`
}

function parse(object: StoredObject): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(object.json())
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
