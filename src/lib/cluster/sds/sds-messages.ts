import protobuf from 'protobufjs/light.js'
import {fieldsOf, listOf, textOf} from '../narrow.ts'
import descriptor from './sds.descriptor.json' with {type: 'json'}

const root = protobuf.Root.fromJSON(descriptor)
const requestType = root.lookupType('envoy.service.discovery.v3.DiscoveryRequest')
const responseType = root.lookupType('envoy.service.discovery.v3.DiscoveryResponse')
const secretType = root.lookupType('envoy.extensions.transport_sockets.tls.v3.Secret')

/** The request for one secret; `nodeId` is who asks, which old agents want to know. */
export function encodeRequest(resourceName: string, typeUrl: string, nodeId: string): Buffer {
  const request = {node: {id: nodeId}, resource_names: [resourceName], type_url: typeUrl}
  return Buffer.from(requestType.encode(requestType.create(request)).finish())
}

/** A response whose certificates are still bytes, copied out of the message. */
export interface RawResponse {
  readonly versionInfo: string
  readonly secrets: readonly RawSecret[]
  /** Types of resources that are no secrets. */
  readonly otherTypes: readonly string[]
}

interface RawSecret {
  readonly name: string
  readonly chain: RawSource | undefined
  readonly trusted: RawSource | undefined
}

/** A `DataSource`; an inline text is bytes too. */
export interface RawSource {
  readonly bytes?: Buffer
  readonly filename?: string
  readonly environment_variable?: string
}

/**
 * Decodes a response and overwrites it: no field of a private key is known, what is taken is copied, and of the rest
 * nothing is left in `message`. Throws what protobuf throws for bytes that are none.
 */
export function takeResponse(message: Buffer): RawResponse {
  try {
    const {version_info: version, resources} = fieldsOf(read(responseType, message))
    const all = listOf(resources).map(fieldsOf)
    return {
      versionInfo: textOf(version) ?? '',
      secrets: all.filter(isSecret).map(({value}) => takeSecret(value)),
      otherTypes: all.filter((any) => !isSecret(any)).map(({type_url: type}) => textOf(type) ?? ''),
    }
  } finally {
    message.fill(0)
  }
}

/** Of v3, and of v2 with the same fields under the same numbers. */
function isSecret({type_url: type}: Readonly<Record<string, unknown>>): boolean {
  return type === SECRET_V3 || type === SECRET_V2
}

/** `type_url` of a secret. */
export const SECRET_V3 = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret'
export const SECRET_V2 = 'type.googleapis.com/envoy.api.v2.auth.Secret'

function takeSecret(value: unknown): RawSecret {
  const secret = value instanceof Uint8Array ? fieldsOf(read(secretType, value)) : {}
  return {
    name: textOf(secret['name']) ?? '',
    chain: takeSource(fieldsOf(secret['tls_certificate'])['certificate_chain']),
    trusted: takeSource(fieldsOf(secret['validation_context'])['trusted_ca']),
  }
}

/** Unknown fields are skipped, and not kept beside the message as protobufjs can do it. */
function read(type: protobuf.Type, bytes: Uint8Array): unknown {
  const reader = protobuf.Reader.create(bytes)
  reader.discardUnknown = true
  return type.decode(reader)
}

function takeSource(source: unknown): RawSource | undefined {
  if (source === undefined || source === null) return undefined
  const {inline_bytes: bytes, inline_string: text, filename, environment_variable: variable} = fieldsOf(source)
  const inline = bytes instanceof Uint8Array && bytes.length > 0 ? bytes : text
  return {
    ...(inline instanceof Uint8Array && inline.length > 0 && {bytes: Buffer.from(inline)}),
    ...(typeof filename === 'string' && filename !== '' && {filename}),
    ...(typeof variable === 'string' && variable !== '' && {environment_variable: variable}),
  }
}
