import {Client, credentials, Metadata, type ServiceError, status} from '@grpc/grpc-js'
import {encodeRequest, type RawResponse, SECRET_V2, SECRET_V3, takeResponse} from './sds-messages.ts'

/** Asks an SDS server over one connection; each secret in a stream of its own, as old agents want it. */
export interface SecretsClient {
  /** Throws GrpcError. */
  ask(api: SdsApi, resourceName: string, deadlineAtMs: number): Promise<RawResponse>
  close(): void
}

/** Version of Envoy's API: agents up to Istio 1.6 know v2 alone. */
export type SdsApi = 'v3' | 'v2'

const METHODS = {
  v3: {path: '/envoy.service.secret.v3.SecretDiscoveryService/StreamSecrets', typeUrl: SECRET_V3},
  v2: {path: '/envoy.service.discovery.v2.SecretDiscoveryService/StreamSecrets', typeUrl: SECRET_V2},
} as const satisfies Record<SdsApi, object>

/** Far above any workload's secrets. */
const LONGEST_MESSAGE = 4 * 1024 * 1024

/** Agents before 1.6 want to know who asks; nothing is made of it. */
const NODE_ID = 'sidecar~127.0.0.1~agentctl.agentctl~agentctl.svc.cluster.local'

/** How a call ended, other than well: the status by its name, and the server's words. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError'
  readonly status: string

  constructor(code: number, details: string, options?: ErrorOptions) {
    super(details, options)
    this.status = status[code] ?? `status ${code}`
  }
}

/** Connects to a Unix socket, once. */
export function openSecretsClient(socketPath: string): SecretsClient {
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_channelz': 0,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.max_receive_message_length': LONGEST_MESSAGE,
  })
  return {
    ask: async (api, resourceName, deadlineAtMs) => await askOnce(client, api, resourceName, deadlineAtMs),
    close: () => client.close(),
  }
}

function askOnce(client: Client, api: SdsApi, resourceName: string, deadlineAtMs: number): Promise<RawResponse> {
  const {path, typeUrl} = METHODS[api]
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest<Buffer, RawResponse>(
      path,
      (bytes) => bytes,
      takeResponse,
      new Metadata(),
      {
        deadline: deadlineAtMs,
      },
    )
    call.on('data', (response: RawResponse) => {
      resolve(response)
      // One answer is all that is wanted; with the stream open, the server would send each new certificate.
      call.cancel()
    })
    call.on('error', (error: ServiceError) => reject(new GrpcError(error.code, error.details, {cause: error})))
    call.on('end', () => reject(new GrpcError(status.UNKNOWN, 'the stream ended without an answer')))
    call.write(encodeRequest(resourceName, typeUrl, NODE_ID))
  })
}
