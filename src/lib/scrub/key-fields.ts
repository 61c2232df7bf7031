/** What a field's name says of its value. */
export type FieldMeaning = 'plain' | 'key-material' | 'key-provider'

/**
 * Names of key material, without case and separators. The first line is what Envoy redacts itself (its admin dumps mark
 * these fields sensitive), but for ticket keys in old versions and for untyped configuration; the others name files of
 * Kubernetes Secrets and fields of kubeconfigs.
 */
const KEY_MATERIAL = new Set(
  [
    'privatekey password pkcs12 sessionticketkeys genericsecret',
    'tlskey keypem cakey cakeypem privatekeypem privatekeydata privatekeybytes sshprivatekey',
    'clientkey clientkeydata clientkeypem serverkey serverkeypem',
    'passphrase keypassword privatekeypassword keystorepassword keystorejks keystorep12',
  ].flatMap((names) => names.split(' ')),
)
const KEY_PROVIDER = 'privatekeyprovider'
/** Fields of a key provider that configure it, as opposed to its name. */
const PROVIDER_CONFIG = new Set(['typedconfig', 'config'])

const MAX_NAME_BYTES = 64

/** First and last byte of the names above: most names are told by these alone. */
const ENDS = new Uint8Array(2 ** 16)
for (const name of [...KEY_MATERIAL, KEY_PROVIDER]) {
  ENDS[(name.charCodeAt(0) << 8) | name.charCodeAt(name.length - 1)] = 1
}

/** Lower case, for letters. */
function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
}

function normalise(name: Buffer): string {
  return name
    .toString('latin1')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** What the name `bytes[from, to)` says; `isInProvider`: the field stands in a `private_key_provider`. */
export function meaningOfField(bytes: Buffer, from: number, to: number, isInProvider: boolean): FieldMeaning {
  if (to - from > MAX_NAME_BYTES || to <= from) return 'plain'
  const ends = (fold(bytes[from] ?? 0) << 8) | fold(bytes[to - 1] ?? 0)
  if (ENDS[ends] !== 1 && !isInProvider) return 'plain'
  const name = normalise(bytes.subarray(from, to))
  if (KEY_MATERIAL.has(name) || (isInProvider && PROVIDER_CONFIG.has(name))) return 'key-material'
  return name === KEY_PROVIDER ? 'key-provider' : 'plain'
}
