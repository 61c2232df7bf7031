import {BIT_STRING, type DerElement, dottedOid, OBJECT_IDENTIFIER, readElement, readElements} from './der.ts'

const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'

/** Bits of the basic key usage, first one first (RFC 5280, 4.2.1.3). */
const BITS = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
]

/** Purposes (RFC 5280, 4.2.1.12). */
const PURPOSES: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'anyExtendedKeyUsage',
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
}

/** Key usages, then extended ones, of a certificate's extensions; a purpose without a name as its dotted number. */
export function readUsages(extensions: readonly DerElement[]): readonly string[] {
  let basic: readonly string[] = []
  let extended: readonly string[] = []
  for (const {content} of extensions) {
    const identifier = readElement(content)
    if (identifier?.tag !== OBJECT_IDENTIFIER) continue
    const oid = dottedOid(identifier.content)
    if (oid === KEY_USAGE) basic = basicUsages(valueOf(content))
    if (oid === EXTENDED_KEY_USAGE) extended = purposes(valueOf(content))
  }
  return [...basic, ...extended]
}

/** What stands in the octets of an extension, which end it. */
function valueOf(extension: Uint8Array): DerElement | undefined {
  return readElement(readElements(extension).at(-1)?.content ?? new Uint8Array())
}

function basicUsages(value: DerElement | undefined): readonly string[] {
  if (value?.tag !== BIT_STRING) return []
  // The first byte of a bit string counts unused bits; the first bit is the highest of the next byte.
  const bytes = value.content.subarray(1)
  return BITS.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0)
}

function purposes(value: DerElement | undefined): readonly string[] {
  return readElements(value?.content ?? new Uint8Array())
    .filter(({tag}) => tag === OBJECT_IDENTIFIER)
    .map(({content}) => dottedOid(content))
    .map((oid) => PURPOSES[oid] ?? oid)
}
