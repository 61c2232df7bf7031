import type {JsonPath, Operand, Operator, Step} from './json-path.ts'
import {Scanner, unescapeText} from './scanner.ts'

const OPERATORS: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>']

/** What may stand in a field's name without quotes; anything else after a backslash (`.app\.kubernetes\.io/name`). */
const FIELD_NAME = /(?:[^\s.,[\](){}'"|$@*?<>=!&\\]|\\.)+/y

/** Reads a path, from where the scanner stands to where the path ends. Throws JsonPathSyntaxError. */
export function parsePath(scanner: Scanner): JsonPath {
  const fromRoot = scanner.take('$')
  if (!fromRoot) scanner.take('@')
  const steps: Step[] = []
  for (;;) {
    if (scanner.take('..')) steps.push({type: 'descend'}, ...(scanner.next === '[' ? [] : [parseField(scanner)]))
    else if (scanner.take('.')) steps.push(...parseAfterDot(scanner))
    else if (scanner.take('[')) steps.push(parseBrackets(scanner))
    else if (steps.length === 0 && scanner.next !== '' && /[^\s(){},]/.test(scanner.next))
      steps.push(parseField(scanner))
    else return {fromRoot, steps}
  }
}

/** Reads a whole text as a path, with or without braces and the dot before it. Throws JsonPathSyntaxError. */
export function parseWholePath(text: string): JsonPath {
  const bare = text.trim()
  const scanner = new Scanner(bare.startsWith('{') && bare.endsWith('}') ? bare.slice(1, -1).trim() : bare)
  const path = parsePath(scanner)
  if (!scanner.isAtEnd) scanner.fail(`unexpected ${JSON.stringify(scanner.next)}`)
  return path
}

/** A lone dot is the value at hand; `.[0]` is `[0]`. */
function parseAfterDot(scanner: Scanner): readonly Step[] {
  return scanner.isAtEnd || /[\s[{},)]/.test(scanner.next) ? [] : [parseField(scanner)]
}

function parseField(scanner: Scanner): Step {
  if (scanner.take('*')) return {type: 'wildcard'}
  const name = scanner.match(FIELD_NAME)
  return name === undefined ? scanner.fail('a name expected') : {type: 'field', name: unescapeText(name)}
}

function parseBrackets(scanner: Scanner): Step {
  scanner.skipSpace()
  const step = scanner.take('?(') ? parseFilter(scanner) : parseUnion(scanner)
  scanner.skipSpace()
  scanner.expect(']')
  return step
}

function parseUnion(scanner: Scanner): Step {
  const steps: Step[] = []
  do {
    scanner.skipSpace()
    steps.push(parseSubscript(scanner))
    scanner.skipSpace()
  } while (scanner.take(','))
  const [first] = steps
  return steps.length === 1 && first !== undefined ? first : {type: 'union', steps}
}

function parseSubscript(scanner: Scanner): Step {
  if (scanner.take('*')) return {type: 'wildcard'}
  if (scanner.next === "'" || scanner.next === '"') return {type: 'field', name: scanner.quoted()}
  const slice = scanner.match(/-?\d*(?::-?\d*){1,2}/y)
  if (slice !== undefined) return parseSlice(slice, scanner)
  const index = scanner.match(/-?\d+/y)
  return index === undefined
    ? scanner.fail('a number, a quoted name or * expected')
    : {type: 'index', index: Number(index)}
}

function parseSlice(slice: string, scanner: Scanner): Step {
  const [from = '', to = '', stride = ''] = slice.split(':')
  if (stride !== '' && !(Number(stride) > 0)) scanner.fail('a stride above 0 expected before')
  return {
    type: 'slice',
    ...(from === '' ? {} : {from: Number(from)}),
    ...(to === '' ? {} : {to: Number(to)}),
    stride: stride === '' ? 1 : Number(stride),
  }
}

function parseFilter(scanner: Scanner): Step {
  const left = parseOperand(scanner)
  const operator = OPERATORS.find((each) => scanner.take(each))
  const right = operator === undefined ? undefined : parseOperand(scanner)
  if (scanner.next === '&' || scanner.next === '|') scanner.fail('one comparison a filter, no && or ||:')
  scanner.expect(')')
  return operator === undefined || right === undefined
    ? {type: 'filter', left}
    : {type: 'filter', left, test: {operator, right}}
}

function parseOperand(scanner: Scanner): Operand {
  scanner.skipSpace()
  const operand = parseBareOperand(scanner)
  scanner.skipSpace()
  return operand
}

function parseBareOperand(scanner: Scanner): Operand {
  if (scanner.next === "'" || scanner.next === '"') return {literal: scanner.quoted()}
  if (/[@$.]/.test(scanner.next)) return {path: parsePath(scanner)}
  const number = scanner.match(/[-+]?\d+(?:\.\d+)?/y)
  if (number !== undefined) return {literal: Number(number)}
  const truth = scanner.match(/true|false/y)
  return truth === undefined ? scanner.fail('a path, a number or a quoted text expected') : {literal: truth === 'true'}
}
