import {randomUUID} from 'node:crypto'
import type {Duplex} from 'node:stream'
import {Server, ServerCredentials, type ServerDuplexStream, status} from '@grpc/grpc-js'
import {rfc3339} from '../scenario/object-values.ts'
import {decodeSdsRequest, encodeSdsResponse, type ServedSecret} from './sds-wire.ts'

/** What a simulated agent serves its proxy. */
export interface SdsModel {
  /** Version of Envoy's API: agents up to Istio 1.6 know v2 alone. */
  readonly api: 'v3' | 'v2'
  readonly chainPem: () => Promise<string>
  readonly keyPem: () => Promise<string>
  readonly rootsPem: () => string
  /** A mistake of another server: the key stands in the file of the chain too. */
  readonly isKeyInChain?: boolean
  /** When the agent got its certificate. */
  readonly issuedMs: () => number
  /** Names that it cannot serve, each with what it says (`failed to generate secret …`). */
  readonly refused?: ReadonlyMap<string, string>
}

const apis = {
  v3: {
    service: 'envoy.service.secret.v3.SecretDiscoveryService',
    typeUrl: 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret',
  },
  v2: {
    service: 'envoy.service.discovery.v2.SecretDiscoveryService',
    typeUrl: 'type.googleapis.com/envoy.api.v2.auth.Secret',
  },
} as const

/**
 * Serves one connection to an agent's SDS socket (istio `security/pkg/nodeagent/sds`): `StreamSecrets` alone, private
 * key and all. A name that is not `ROOTCA` is answered with the workload's certificate under that name.
 */
export function serveSds(model: SdsModel, connection: Duplex): void {
  const {service, typeUrl} = apis[model.api]
  const server = new Server({'grpc.enable_channelz': 0})
  server.addService(
    {
      StreamSecrets: {
        path: `/${service}/StreamSecrets`,
        requestStream: true,
        responseStream: true,
        requestSerialize: () => Buffer.alloc(0),
        requestDeserialize: decodeSdsRequest,
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      StreamSecrets: (call: ServerDuplexStream<readonly string[], Buffer>) => {
        // A caller that leaves is its own affair.
        call.on('error', () => undefined)
        call.on('end', () => call.end())
        call.on('data', (names: readonly string[]) => {
          void answer(call, names)
        })
      },
    },
  )
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  connection.on('error', () => undefined)
  connection.once('close', () => injector.destroy())
  // Bun's HTTP/2 does not end its side by itself.
  connection.once('end', () => connection.end())
  injector.injectConnection(connection)

  async function answer(call: ServerDuplexStream<readonly string[], Buffer>, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const details = model.refused?.get(name)
      if (details !== undefined) {
        call.emit('error', {code: status.UNKNOWN, details})
        return
      }
      const versionInfo = `${rfc3339(model.issuedMs())}/1`
      call.write(encodeSdsResponse({typeUrl, versionInfo, nonce: randomUUID(), secret: await secretOf(name)}))
    }
  }

  async function secretOf(name: string): Promise<ServedSecret> {
    if (name === 'ROOTCA') return {name, validation_context: {trusted_ca: bytesOf(model.rootsPem())}}
    const [chain, key] = [await model.chainPem(), await model.keyPem()]
    const certificateChain = bytesOf(model.isKeyInChain === true ? `${key}\n${chain}` : chain)
    return {name, tls_certificate: {certificate_chain: certificateChain, private_key: bytesOf(key)}}
  }
}

function bytesOf(pem: string): {readonly inline_bytes: Uint8Array} {
  return {inline_bytes: Buffer.from(pem)}
}
