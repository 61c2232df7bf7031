/** What a field's name says of its value. */
export type FieldMeaning = 'plain' | 'key-material' | 'key-provider' | 'key-set' | 'key-type'

/** What the object is that a field stands in: its other names then mean more. */
export type FieldPlace = 'plain' | 'key-provider' | 'jwk'

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

/** List of the keys of a JWK set (RFC 7517, 5): what it holds is for verifying, unless somebody put in too much. */
const KEY_SET = 'keys'
/** The field that every JWK has. */
const KEY_TYPE = 'kty'
/** Fields of a JWK that are the private key, or the shared one (RFC 7518, 6). */
const JWK_SECRETS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

const MAX_NAME_BYTES = 64

/** First and last byte of the names above: most names are told by these alone. */
const ENDS = new Uint8Array(2 ** 16)
for (const name of [...KEY_MATERIAL, KEY_PROVIDER, KEY_SET, KEY_TYPE]) {
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

/** What the name `bytes[from, to)` says in such an object. */
export function meaningOfField(bytes: Buffer, from: number, to: number, place: FieldPlace): FieldMeaning {
  if (to - from > MAX_NAME_BYTES || to <= from) return 'plain'
  const ends = (fold(bytes[from] ?? 0) << 8) | fold(bytes[to - 1] ?? 0)
  if (ENDS[ends] !== 1 && place === 'plain') return 'plain'
  const name = normalise(bytes.subarray(from, to))
  if (KEY_MATERIAL.has(name)) return 'key-material'
  if (place === 'key-provider' && PROVIDER_CONFIG.has(name)) return 'key-material'
  if (place === 'jwk' && JWK_SECRETS.has(name)) return 'key-material'
  if (name === KEY_PROVIDER) return 'key-provider'
  if (name === KEY_SET) return 'key-set'
  return name === KEY_TYPE ? 'key-type' : 'plain'
}
