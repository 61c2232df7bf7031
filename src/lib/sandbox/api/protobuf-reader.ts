/** A length-delimited field of a protobuf message, with its number. */
export interface ProtobufField {
  readonly number: number
  readonly bytes: Uint8Array
}

/**
 * Length-delimited fields of a message; others are skipped. It is all that the review of a kubectl needs, and a
 * library for it would be larger than the sandbox. Throws RangeError for bytes that are no message.
 */
export function readProtobufFields(message: Uint8Array): readonly ProtobufField[] {
  const fields: ProtobufField[] = []
  let at = 0
  const readVarint = (): number => {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = message[at]
      if (byte === undefined) break
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new RangeError('a protobuf number is cut off')
  }
  while (at < message.length) {
    const tag = readVarint()
    switch (tag & 7) {
      case 0:
        readVarint()
        break
      case 1:
        at += 8
        break
      case 2: {
        const length = readVarint()
        if (at + length > message.length) throw new RangeError('a protobuf field is cut off')
        fields.push({number: tag >>> 3, bytes: message.subarray(at, at + length)})
        at += length
        break
      }
      case 5:
        at += 4
        break
      default:
        throw new RangeError('an unknown protobuf wire type')
    }
  }
  return fields
}
