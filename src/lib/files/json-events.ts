import {Tokenizer, TokenType} from '@streamparser/json'

/** Keys and indexes from the root to a value; good during the call it is given to. */
export type JsonPath = readonly (string | number)[]

/** Told of each value as it begins: a scalar's own, `{}` or `[]` for what it may hold. */
export type SeeJson = (path: JsonPath, value: unknown) => void

/** Containers that begin; what they hold comes later. */
export const OBJECT = Symbol('object')
export const ARRAY = Symbol('array')

/**
 * Follows the beginning of a JSON document, as far as it goes, and tells of each value. What comes after the document,
 * or is no JSON, ends it quietly: whoever decodes the whole will say what is wrong.
 */
export class JsonEvents {
  readonly #tokenizer = new Tokenizer({stringBufferSize: 64 * 1024})
  readonly #path: (string | number)[] = []
  readonly #isObject: boolean[] = []
  readonly #see: SeeJson
  #expectsKey = false
  #isDone = false

  constructor(see: SeeJson) {
    this.#see = see
    this.#tokenizer.onToken = ({token, value}) => {
      if (!this.#isDone) this.#take(token, value)
    }
    this.#tokenizer.onError = () => {
      this.#isDone = true
    }
    this.#tokenizer.onEnd = () => undefined
  }

  /** Nothing more is to come. */
  get isDone(): boolean {
    return this.#isDone
  }

  write(bytes: Uint8Array): void {
    if (!this.#isDone) this.#tokenizer.write(bytes)
  }

  #take(token: TokenType, value: unknown): void {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#open(token === TokenType.LEFT_BRACE)
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#close()
    else if (token === TokenType.COMMA) this.#next()
    else if (token === TokenType.COLON) this.#expectsKey = false
    else if (this.#expectsKey && token === TokenType.STRING) this.#path[this.#path.length - 1] = String(value)
    else this.#see(this.#path, value)
  }

  #open(isObject: boolean): void {
    this.#see(this.#path, isObject ? OBJECT : ARRAY)
    this.#path.push(isObject ? '' : 0)
    this.#isObject.push(isObject)
    this.#expectsKey = isObject
  }

  #close(): void {
    this.#path.pop()
    this.#isObject.pop()
    this.#expectsKey = false
    if (this.#path.length === 0) this.#isDone = true
  }

  #next(): void {
    const last = this.#path.at(-1)
    if (typeof last === 'number') this.#path[this.#path.length - 1] = last + 1
    this.#expectsKey = this.#isObject.at(-1) === true
  }
}
