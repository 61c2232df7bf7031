import {isAllowed} from './authorize.ts'
import {readProtobufFields} from './protobuf-reader.ts'
import {badRequest, StatusError} from './status.ts'
import type {SandboxUser} from './users.ts'

/**
 * Answers a SelfSubjectAccessReview. kubectl since 1.33 sends it as protobuf and does not fall back, so both forms
 * are read; the answer is JSON, which every client takes. Throws StatusError 400 for a body that is neither.
 */
export function reviewAccess(user: SandboxUser, body: Uint8Array, contentType: string): unknown {
  const spec = readSpec(body, contentType)
  const resource = spec.resource
  const isAllowedNow =
    resource === undefined
      ? user.rules.some((rule) => rule.verbs.includes('*') && rule.resources.includes('*'))
      : isAllowed(user, {
          verb: resource['verb'] ?? '',
          group: resource['group'] ?? '',
          resource:
            (resource['subresource'] ?? '') === ''
              ? (resource['resource'] ?? '')
              : `${resource['resource'] ?? ''}/${resource['subresource'] ?? ''}`,
          namespace: resource['namespace'] ?? '',
          name: resource['name'] ?? '',
        })
  return {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: resource === undefined ? {nonResourceAttributes: spec.path} : {resourceAttributes: resource},
    status: {allowed: isAllowedNow},
  }
}

/** Answers a SelfSubjectRulesReview for a namespace. */
export function reviewRules(user: SandboxUser, body: Uint8Array, contentType: string): unknown {
  const {namespace} = readSpec(body, contentType)
  const rules = user.rules.filter((rule) => rule.namespaces === undefined || rule.namespaces.includes(namespace))
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.map(({verbs, groups, resources, names}) => ({
        verbs,
        apiGroups: groups,
        resources,
        ...(names !== undefined && {resourceNames: names}),
      })),
      nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/version']}],
      incomplete: false,
    },
  }
}

type Attributes = Readonly<Record<string, string>>

interface Spec {
  readonly resource?: Attributes
  readonly path?: Attributes
  /** Of a rules review. */
  readonly namespace: string
}

function readSpec(body: Uint8Array, contentType: string): Spec {
  try {
    return contentType.includes('protobuf') ? readProtobufSpec(body) : readJsonSpec(body)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) {
      throw new StatusError(badRequest(`the object provided is unrecognized: ${error.message}`))
    }
    throw error
  }
}

function readJsonSpec(body: Uint8Array): Spec {
  const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  const spec = fieldOf(value, 'spec')
  const resource = fieldOf(spec, 'resourceAttributes')
  const path = fieldOf(spec, 'nonResourceAttributes')
  const namespace = fieldOf(spec, 'namespace')
  return {
    ...(resource === undefined ? {} : {resource: stringsOf(resource)}),
    ...(path === undefined ? {} : {path: stringsOf(path)}),
    namespace: typeof namespace === 'string' ? namespace : '',
  }
}

/** Field numbers are those of k8s.io/api `authorization/v1/generated.proto`; the envelope is `runtime.Unknown`. */
function readProtobufSpec(body: Uint8Array): Spec {
  const magic = Buffer.from('k8s\0')
  if (!magic.equals(body.subarray(0, 4))) throw new RangeError('no protobuf envelope')
  const raw = readProtobufFields(body.subarray(4)).find(({number}) => number === 2)
  const spec = readProtobufFields(raw?.bytes ?? new Uint8Array()).find(({number}) => number === 2)
  const fields = readProtobufFields(spec?.bytes ?? new Uint8Array())
  const first = fields.find(({number}) => number === 1)
  const second = fields.find(({number}) => number === 2)
  const namespace = first === undefined ? '' : Buffer.from(first.bytes).toString('utf8')
  if (second !== undefined) return {path: named(second.bytes, ['path', 'verb']), namespace: ''}
  const names = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name']
  try {
    return {resource: first === undefined ? {} : named(first.bytes, names), namespace}
  } catch (error) {
    // A rules review has the namespace itself where an access review has a message.
    if (error instanceof RangeError) return {resource: {}, namespace}
    throw error
  }
}

function named(message: Uint8Array, names: readonly string[]): Attributes {
  return Object.fromEntries(
    readProtobufFields(message).flatMap(({number, bytes}) => {
      const name = names[number - 1]
      return name === undefined ? [] : [[name, Buffer.from(bytes).toString('utf8')]]
    }),
  )
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([name]) => name === field)?.[1]
}

function stringsOf(value: unknown): Attributes {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}
