/** The text of a template or path cannot be read; told to the user as a usage error. */
export class JsonPathSyntaxError extends Error {
  override readonly name = 'JsonPathSyntaxError'
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', '0': '\0'}

/** Reads a text from left to right. */
export class Scanner {
  readonly text: string
  #at = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text[this.#at] ?? ''
  }

  /** Characters that follow. */
  get rest(): number {
    return Math.max(this.text.length - this.#at, 0)
  }

  /** Goes past `expected` if it comes next. */
  take(expected: string): boolean {
    const isNext = this.text.startsWith(expected, this.#at)
    if (isNext) this.#at += expected.length
    return isNext
  }

  /** Goes past what the sticky pattern matches here; undefined where it does not. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  skipSpace(): void {
    this.match(/\s*/y)
  }

  /** Throws JsonPathSyntaxError where something else comes next. */
  expect(expected: string): void {
    if (!this.take(expected)) this.fail(`${expected} expected`)
  }

  /** A text in single or double quotes, with backslash escapes. Throws JsonPathSyntaxError where it has no end. */
  quoted(): string {
    const quoted = this.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy)
    if (quoted === undefined) return this.fail('a closing quote is missing')
    return unescapeText(quoted.slice(1, -1))
  }

  /** Throws JsonPathSyntaxError, with where it is. */
  fail(problem: string): never {
    throw new JsonPathSyntaxError(`${problem} at ${this.isAtEnd ? 'its end' : `character ${this.#at + 1}`}`)
  }
}

/** Takes the backslashes out: `\n` and its like, `\u0041`, and any other character as it stands. */
export function unescapeText(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (ESCAPES[character ?? ''] ?? character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
