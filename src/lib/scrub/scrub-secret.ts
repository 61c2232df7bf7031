import {ProbeError} from '../domain/failure.ts'
import {unescapeJson} from './json-text.ts'
import {scrub} from './scrub.ts'
import {isKeptField} from './secret-fields.ts'

/** The API server takes no Secret of more than 1 MiB; in base64, with what else stands in an object. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024
/** No name that is kept is as long. */
const MAX_NAME_BYTES = 64
/** Deeper than any object of Kubernetes. */
const MAX_DEPTH = 100

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * What of a Secret of Kubernetes may be kept, as JSON: what it is called, and the certificates in it. It is told by the
 * names of the fields, byte by byte, and nothing else is made a text of or copied; each chunk that was gone through is
 * overwritten. A key in place of a certificate is then taken out as everywhere. A Status (the Secret is not there) keeps
 * its kind. Throws ProbeError where it is no JSON object, or is cut off, and whatever the body itself throws.
 */
export async function* scrubSecret(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const sieve = new SecretSieve()
  try {
    for await (const chunk of body) {
      try {
        sieve.push(chunk)
      } finally {
        chunk.fill(0)
      }
    }
    yield await cleaned(sieve.finish())
  } finally {
    sieve.clear()
  }
}

/** Nothing that is handed on shares its memory with what was not cleaned. */
async function cleaned(kept: Buffer): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of scrub(once(kept))) pieces.push(Uint8Array.from(piece))
  } finally {
    kept.fill(0)
  }
  return joinBytes(pieces)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

type Expecting = 'name' | 'value'

interface Frame {
  readonly isObject: boolean
  expecting: Expecting
  /** Name in hand; absent in a list. */
  name?: string
}

/** Follows the structure of a JSON object, and copies the strings that stand under the names that are kept. */
class SecretSieve {
  readonly #frames: Frame[] = []
  readonly #kept = new Map<string, Uint8Array>()
  #string: 'name' | 'kept' | 'passed' | undefined
  #isEscaping = false
  #bytes = Buffer.alloc(256)
  #length = 0
  #keptBytes = 0
  #hasBegun = false
  #isOver = false

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#string === undefined) this.#takeStructure(byte)
      else this.#takeString(byte)
    }
  }

  /** The kept fields as a JSON object. Throws ProbeError where the document is not whole. */
  finish(): Buffer {
    if (!this.#hasBegun) throw noSecret('empty-answer', 'an empty answer')
    if (!this.#isOver) throw noSecret('cut-off', 'cut off')
    const fields = [...this.#kept].map(([path, value]) => ({path: path.split('\n'), value}))
    const groups = Map.groupBy(fields, ({path}) => (path.length === 1 ? '' : (path[0] ?? '')))
    return object(
      [...groups].flatMap(([group, fields]) => {
        const members = fields.map(({path, value}) => member(path.at(-1), [quote, value, quote]))
        return group === '' ? members : [member(group, object(members))]
      }),
    )
  }

  /** Overwrites what is held. */
  clear(): void {
    this.#bytes.fill(0)
    for (const value of this.#kept.values()) value.fill(0)
    this.#kept.clear()
  }

  #takeStructure(byte: number): void {
    const frame = this.#frames.at(-1)
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return
    if (this.#isOver || (frame === undefined && byte !== OPEN_OBJECT)) throw noSecret('bad-payload', 'no JSON object')
    this.#hasBegun = true
    if (byte === QUOTE) this.#beginString(frame)
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte === OPEN_OBJECT)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(byte === CLOSE_OBJECT)
    else if (byte === COMMA && frame !== undefined) {
      frame.expecting = frame.isObject ? 'name' : 'value'
      delete frame.name
    } else if (byte === COLON && frame !== undefined) frame.expecting = 'value'
    // Numbers, true, false and null are passed over.
  }

  #open(isObject: boolean): void {
    if (this.#frames.length === MAX_DEPTH) throw noSecret('bad-payload', `nested deeper than ${MAX_DEPTH} levels`)
    this.#frames.push({isObject, expecting: isObject ? 'name' : 'value'})
  }

  #close(isObject: boolean): void {
    if (this.#frames.pop()?.isObject !== isObject) throw noSecret('bad-payload', 'no JSON object')
    this.#isOver = this.#frames.length === 0
  }

  #beginString(frame: Frame | undefined): void {
    this.#length = 0
    const isName = frame?.isObject === true && frame.expecting === 'name'
    this.#string = isName ? 'name' : isKeptField(this.#path()) ? 'kept' : 'passed'
  }

  #takeString(byte: number): void {
    if (!this.#isEscaping && byte === QUOTE) {
      this.#endString()
      return
    }
    this.#isEscaping = !this.#isEscaping && byte === BACKSLASH
    if (this.#string === 'passed' || (this.#string === 'name' && this.#length >= MAX_NAME_BYTES)) return
    if (this.#string === 'kept' && ++this.#keptBytes > MAX_KEPT_BYTES)
      throw noSecret('too-large', `more than ${MAX_KEPT_BYTES} bytes of certificates`)
    if (this.#length === this.#bytes.length) this.#grow()
    this.#bytes[this.#length++] = byte
  }

  #endString(): void {
    const inside = this.#bytes.subarray(0, this.#length)
    const frame = this.#frames.at(-1)
    // A name of more bytes is none that is kept, and is told by its length alone.
    if (this.#string === 'name' && frame !== undefined) {
      frame.name = this.#length < MAX_NAME_BYTES ? unescapeJson(inside).toString() : ''
    }
    if (this.#string === 'kept') this.#kept.set(this.#path().join('\n'), Uint8Array.from(inside))
    this.#string = undefined
  }

  #path(): readonly string[] {
    return this.#frames.map(({name}) => name ?? '')
  }

  #grow(): void {
    const longer = Buffer.alloc(this.#bytes.length * 2)
    this.#bytes.copy(longer)
    this.#bytes.fill(0)
    this.#bytes = longer
  }
}

const quote = Buffer.from('"')

function member(name: string | undefined, value: readonly Uint8Array[] | Uint8Array): Buffer {
  return joinBytes([Buffer.from(`${JSON.stringify(name)}:`), ...(value instanceof Uint8Array ? [value] : value)])
}

function object(members: readonly Uint8Array[]): Buffer {
  const separated = members.flatMap((one, index) => (index === 0 ? [one] : [Buffer.from(','), one]))
  return joinBytes([Buffer.from('{'), ...separated, Buffer.from('}')])
}

/** In memory of its own: what `Buffer.concat` makes shares it with others. */
function joinBytes(parts: readonly Uint8Array[]): Buffer {
  const joined = Buffer.alloc(parts.reduce((sum, {length}) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

function noSecret(code: 'bad-payload' | 'cut-off' | 'empty-answer' | 'too-large', reason: string): ProbeError {
  return new ProbeError({
    stage: 'fetch',
    code,
    message: `Cannot take in the Secret: ${reason}`,
    hint: 'Try again; if it stays so, something between here and the API server may have answered',
  })
}
