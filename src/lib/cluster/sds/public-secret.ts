import {scrub} from '../../scrub/scrub.ts'
import type {RawResponse, RawSource} from './sds-messages.ts'

/** One secret without a private key, in the JSON form of Envoy's `Secret`. */
interface PublicSecret {
  readonly name: string
  readonly tls_certificate?: {readonly certificate_chain: PublicSource}
  readonly validation_context?: {readonly trusted_ca: PublicSource}
}

/** A `DataSource`; bytes are base64. */
interface PublicSource {
  readonly inline_bytes?: string
  readonly filename?: string
  readonly environment_variable?: string
}

/** What is kept of a `DiscoveryResponse`. */
export interface PublicResponse {
  readonly version_info: string
  readonly resources: readonly PublicSecret[]
  /** Types of resources that are no secrets; nothing of their content is kept. */
  readonly other_types: readonly string[]
}

/**
 * A response as it may be kept. A key that stands in place of a certificate is taken out of the bytes before any text is
 * made of them; then the bytes are overwritten. Throws ProbeError as `scrub` does.
 */
export async function publishResponse({versionInfo, secrets, otherTypes}: RawResponse): Promise<PublicResponse> {
  const resources: PublicSecret[] = []
  for (const {name, chain, trusted} of secrets) {
    resources.push({
      name,
      ...(chain !== undefined && {tls_certificate: {certificate_chain: await publishSource(chain)}}),
      ...(trusted !== undefined && {validation_context: {trusted_ca: await publishSource(trusted)}}),
    })
  }
  return {version_info: versionInfo, resources, other_types: otherTypes}
}

async function publishSource({bytes, ...names}: RawSource): Promise<PublicSource> {
  if (bytes === undefined) return names
  const clean: Uint8Array[] = []
  try {
    for await (const chunk of scrub(once(bytes))) clean.push(Buffer.from(chunk))
  } finally {
    bytes.fill(0)
  }
  return {...names, inline_bytes: Buffer.concat(clean).toString('base64')}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
