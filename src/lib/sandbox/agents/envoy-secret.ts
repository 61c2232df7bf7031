/** What a simulated Envoy holds under one SDS name. Nothing here is a key: Envoy redacts it, and so no key is made. */
export interface EnvoySecret {
  readonly name: string
  readonly holds: 'certificate' | 'roots'
  /** PEM text; absent while the secret is waited for. */
  readonly pem?: () => Promise<string>
  /** Without a PEM: it stands among the active ones all the same. */
  readonly isListedActive?: boolean
  /** What TLS contexts go on with, where the Envoy has refused what it shows. */
  readonly loadedPem?: () => Promise<string>
  /** As the SDS server gave it; istiod gives none for `kubernetes://` secrets. */
  readonly version?: string
  readonly updatedMs: number
  /** The roots come with an empty revocation list. */
  readonly hasEmptyCrl?: boolean
}

const secretType = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret'
/** `[redacted]` in base64, which is what Envoy writes in place of a key. */
const redacted = 'W3JlZGFjdGVkXQ=='

/** The secret as it stands in Envoy's SecretsConfigDump. */
export async function dumpEnvoySecret(secret: EnvoySecret): Promise<Record<string, unknown>> {
  const head = {
    name: secret.name,
    ...(secret.pem === undefined
      ? {version_info: 'uninitialized'}
      : secret.version === undefined
        ? {}
        : {version_info: secret.version}),
    last_updated: new Date(secret.updatedMs).toISOString(),
  }
  if (secret.pem === undefined) return {...head, secret: {'@type': secretType, name: secret.name}}
  const bytes = {inline_bytes: Buffer.from(await secret.pem()).toString('base64')}
  const content =
    secret.holds === 'roots'
      ? {validation_context: {trusted_ca: bytes, ...(secret.hasEmptyCrl === true && {crl: {inline_bytes: ''}})}}
      : {tls_certificate: {certificate_chain: bytes, private_key: {inline_bytes: redacted}}}
  return {...head, secret: {'@type': secretType, name: secret.name, ...content}}
}
