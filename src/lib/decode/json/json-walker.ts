import {TokenType} from '@streamparser/json'

/** Keys and indexes from the root to a value. Valid during the call it is given to. */
export type JsonPath = readonly (string | number)[]

export type JsonKind = 'object' | 'array' | 'scalar'

/** What becomes of a value: its inside is looked at, it is built and handed over whole, or it is passed over. */
export type JsonChoice = 'enter' | 'keep' | 'skip'

/** Reads a large document piece by piece. */
export interface JsonVisitor {
  /** Asked as each value begins, unless it lies inside one that is kept or skipped. */
  choose(path: JsonPath, kind: JsonKind): JsonChoice
  /** A kept value. Objects have no prototype; integers beyond 2^53 come as text, digit for digit. */
  keep(path: JsonPath, value: unknown): void
  /** An object or array that was entered is over. */
  leave?(path: JsonPath): void
  /** A value was to be kept and is too large for that: it is passed over. */
  tooLarge(path: JsonPath): void
}

/** The text is no JSON; `reason` is a short phrase. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

/** Deeper than any protobuf, which stops at 100: what lies deeper is passed over. */
const MAX_DEPTH = 500
/** As deep as the scrubber lets anything through. */
const MAX_SKIPPED_DEPTH = 20_000
/** A bundle of all public roots is 300 KB; a value far above is no certificate. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024

type Container = unknown[] | Record<string, unknown>
type Expecting = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

interface Frame {
  readonly kind: 'object' | 'array'
  choice: JsonChoice
  readonly container: Container | undefined
  /** The key in hand. */
  key: string
}

/** Follows the grammar of one JSON document, token by token, and builds only what its visitor keeps. */
export class JsonWalker {
  readonly #visitor: JsonVisitor
  readonly #frames: Frame[] = []
  readonly #path: (string | number)[] = []
  #frame: Frame | undefined
  #expecting: Expecting = 'value'
  #kept = 0

  constructor(visitor: JsonVisitor) {
    this.#visitor = visitor
  }

  /** The document is whole. */
  get finished(): boolean {
    return this.#expecting === 'nothing'
  }

  /** Takes the next token. `text` is a string's or number's value, a number's as it was written. Throws JsonError. */
  take(token: TokenType, text: string): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
        return this.#open('object')
      case TokenType.LEFT_BRACKET:
        return this.#open('array')
      case TokenType.RIGHT_BRACE:
        return this.#close('object')
      case TokenType.RIGHT_BRACKET:
        return this.#close('array')
      case TokenType.STRING:
        return this.#expecting === 'key' || this.#expecting === 'key or end'
          ? this.#key(text)
          : this.#scalar(text, text)
      case TokenType.NUMBER:
        return this.#scalar(exactNumber(text), text)
      case TokenType.TRUE:
        return this.#scalar(true, '')
      case TokenType.FALSE:
        return this.#scalar(false, '')
      case TokenType.NULL:
        return this.#scalar(null, '')
      case TokenType.COLON:
        if (this.#expecting !== 'colon') throw new JsonError('a colon in the wrong place')
        this.#expecting = 'value'
        return
      case TokenType.COMMA:
        if (this.#expecting !== 'comma or end') throw new JsonError('a comma in the wrong place')
        this.#expecting = this.#frame?.kind === 'object' ? 'key' : 'value'
        return
      case TokenType.SEPARATOR:
        throw new JsonError('a separator')
    }
  }

  #key(text: string): void {
    const frame = this.#frame
    if (frame === undefined) throw new JsonError('a key outside an object')
    frame.key = text
    if (frame.choice === 'enter') this.#path[this.#path.length - 1] = text
    if (frame.choice === 'keep') this.#count(text.length)
    this.#expecting = 'colon'
  }

  #open(kind: 'object' | 'array'): void {
    const choice = this.#bounded(this.#begin(kind))
    const container = choice === 'keep' ? emptyContainer(kind) : undefined
    if (container !== undefined && this.#frame?.choice === 'keep') this.#attach(container)
    if (choice === 'enter') this.#path.push(kind === 'object' ? '' : -1)
    const frame: Frame = {kind, choice, container, key: ''}
    this.#frames.push(frame)
    this.#frame = frame
    this.#expecting = kind === 'object' ? 'key or end' : 'value or end'
  }

  #close(kind: 'object' | 'array'): void {
    const frame = this.#frame
    const atEnd =
      this.#expecting === 'comma or end' || this.#expecting === (kind === 'object' ? 'key or end' : 'value or end')
    if (frame?.kind !== kind || !atEnd) throw new JsonError('a bracket in the wrong place')
    this.#frames.pop()
    this.#frame = this.#frames.at(-1)
    if (frame.choice === 'enter') {
      this.#path.pop()
      this.#visitor.leave?.(this.#path)
    }
    if (frame.choice === 'keep' && this.#frame?.choice !== 'keep') {
      this.#kept = 0
      this.#visitor.keep(this.#path, frame.container)
    }
    this.#expectNext()
  }

  #scalar(value: unknown, text: string): void {
    const choice = this.#begin('scalar')
    if (choice === 'keep') {
      if (this.#frame?.choice !== 'keep') this.#visitor.keep(this.#path, value)
      else {
        this.#attach(value)
        this.#count(text.length)
      }
    }
    this.#expectNext()
  }

  /** Checks that a value may stand here, and says what becomes of it. */
  #begin(kind: JsonKind): JsonChoice {
    if (this.#expecting !== 'value' && this.#expecting !== 'value or end') {
      throw new JsonError('a value in the wrong place')
    }
    const frame = this.#frame
    if (frame !== undefined && frame.choice !== 'enter') return frame.choice
    if (frame?.kind === 'array') {
      const index = this.#path.at(-1)
      this.#path[this.#path.length - 1] = typeof index === 'number' ? index + 1 : 0
    }
    return this.#visitor.choose(this.#path, kind)
  }

  /** What is too deep is passed over, with the value that was to be kept around it. */
  #bounded(choice: JsonChoice): JsonChoice {
    if (this.#frames.length < MAX_DEPTH) return choice
    if (this.#frames.length >= MAX_SKIPPED_DEPTH) throw new JsonError(`nested deeper than ${MAX_SKIPPED_DEPTH}`)
    if (choice === 'keep') this.#giveUp()
    return 'skip'
  }

  #attach(value: unknown): void {
    const frame = this.#frame
    if (Array.isArray(frame?.container)) frame.container.push(value)
    else if (frame?.container !== undefined) frame.container[frame.key] = value
  }

  /** Gives up a kept value once it has grown too large. */
  #count(characters: number): void {
    this.#kept += characters + 16
    if (this.#kept > MAX_KEPT_CHARACTERS) this.#giveUp()
  }

  #giveUp(): void {
    this.#kept = 0
    for (const frame of this.#frames) if (frame.choice === 'keep') frame.choice = 'skip'
    this.#visitor.tooLarge(this.#path)
  }

  #expectNext(): void {
    this.#expecting = this.#frame === undefined ? 'nothing' : 'comma or end'
  }
}

/** Without a prototype, a key like `__proto__` is a key like any other. */
function emptyContainer(kind: 'object' | 'array'): Container {
  if (kind === 'array') return []
  const record: Record<string, unknown> = {__proto__: null}
  return record
}

function exactNumber(text: string): number | string {
  const number = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number
}
