import protobuf from 'protobufjs/light.js'

const edition = 'proto3'

/** What an agent puts on the wire: Envoy's messages with the fields that an agent fills, the private key among them. */
const root = protobuf.Root.fromJSON({
  nested: {
    Request: {
      edition,
      fields: {resource_names: {type: 'string', id: 3, rule: 'repeated'}, type_url: {type: 'string', id: 4}},
    },
    Response: {
      edition,
      fields: {
        version_info: {type: 'string', id: 1},
        resources: {type: 'Any', id: 2, rule: 'repeated'},
        type_url: {type: 'string', id: 4},
        nonce: {type: 'string', id: 5},
      },
    },
    Any: {edition, fields: {type_url: {type: 'string', id: 1}, value: {type: 'bytes', id: 2}}},
    Secret: {
      edition,
      fields: {
        name: {type: 'string', id: 1},
        tls_certificate: {type: 'TlsCertificate', id: 2},
        validation_context: {type: 'ValidationContext', id: 4},
      },
    },
    TlsCertificate: {
      edition,
      fields: {certificate_chain: {type: 'DataSource', id: 1}, private_key: {type: 'DataSource', id: 2}},
    },
    ValidationContext: {edition, fields: {trusted_ca: {type: 'DataSource', id: 1}}},
    DataSource: {edition, fields: {inline_bytes: {type: 'bytes', id: 2}}},
  },
})

/** The names that a request asks for. */
export function decodeSdsRequest(bytes: Uint8Array): readonly string[] {
  const type = root.lookupType('Request')
  const names: unknown = type.toObject(type.decode(bytes), {arrays: true})['resource_names']
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** A secret as an agent serves it. */
export interface ServedSecret {
  readonly name: string
  readonly tls_certificate?: {readonly certificate_chain: ServedBytes; readonly private_key: ServedBytes}
  readonly validation_context?: {readonly trusted_ca: ServedBytes}
}

interface ServedBytes {
  readonly inline_bytes: Uint8Array
}

/** A response with one secret. */
export function encodeSdsResponse(response: {
  readonly typeUrl: string
  readonly versionInfo: string
  readonly nonce: string
  readonly secret: ServedSecret
}): Buffer {
  const {typeUrl, versionInfo, nonce, secret} = response
  const value = root.lookupType('Secret').encode(secret).finish()
  const resources = [{type_url: typeUrl, value}]
  const message = {version_info: versionInfo, resources, type_url: typeUrl, nonce}
  return Buffer.from(root.lookupType('Response').encode(message).finish())
}
