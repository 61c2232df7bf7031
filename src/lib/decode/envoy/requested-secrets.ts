import {SECRET_LISTS, type SecretList} from './secret-items.ts'

/** Which secrets a request for `/config_dump` asked for. */
export type RequestedSecrets =
  | {readonly type: 'all'}
  /** `mask=`, or a filter by name: these lists, and `complete` where they are all and whole. */
  | {readonly type: 'some'; readonly complete: boolean}
  /** `resource=`: the elements of one list. */
  | {readonly type: 'list'; readonly list: SecretList}
  /** A file, whose request is not known. */
  | {readonly type: 'unknown'}

/** Reads it from the path that was asked (Envoy's admin interface, `/config_dump`), or finds a file's name to be none. */
export function requestedSecrets(path: string): RequestedSecrets {
  const question = path.indexOf('?')
  const route = question < 0 ? path : path.slice(0, question)
  if (!/^\/?config_dump$/.test(route)) return namedList(path)
  const query = new URLSearchParams(question < 0 ? '' : path.slice(question + 1))
  const resource = query.get('resource') ?? ''
  if (resource !== '') {
    const list = SECRET_LISTS.find((name) => name === resource)
    return list === undefined ? {type: 'some', complete: false} : {type: 'list', list}
  }
  const filtered = (query.get('name_regex') ?? '') !== ''
  const mask = query.get('mask') ?? ''
  if (mask === '') return filtered ? {type: 'some', complete: false} : {type: 'all'}
  const names = new Set(mask.split(','))
  return {type: 'some', complete: !filtered && SECRET_LISTS.every((name) => names.has(name))}
}

/** A saved answer is often named after its request. */
function namedList(fileName: string): RequestedSecrets {
  const named = SECRET_LISTS.filter(
    (name) => fileName.includes(`resource_${name}`) || fileName.includes(`resource=${name}`),
  )
  const [list] = named
  return list !== undefined && named.length === 1 ? {type: 'list', list} : {type: 'unknown'}
}
