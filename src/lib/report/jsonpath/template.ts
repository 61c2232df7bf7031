import {evaluatePath} from './evaluate-path.ts'
import {type JsonPath, looksAtRoot} from './json-path.ts'
import {parsePath} from './parse-path.ts'
import {JsonPathSyntaxError, Scanner} from './scanner.ts'
import {valueText} from './value-text.ts'

/** A part of a template, in order. */
export type TemplateNode =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'path'; readonly path: JsonPath}
  | {readonly type: 'range'; readonly over: JsonPath; readonly body: readonly TemplateNode[]}

/**
 * Reads a template in kubectl's dialect: text, `{.path}`, `{"text"}`, `{range .path}…{end}`. A text without braces is
 * one path. Throws JsonPathSyntaxError.
 */
export function parseTemplate(text: string): readonly TemplateNode[] {
  const scanner = new Scanner(text.includes('{') ? text : `{${text}}`)
  const nodes = parseNodes(scanner, false)
  if (nodes.length === 0) throw new JsonPathSyntaxError('it is empty')
  return nodes
}

/** The text that nodes make of a value; several values of one path stand beside each other with a space between. */
export function expandTemplate(nodes: readonly TemplateNode[], current: unknown, root: unknown): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return node.text
      if (node.type === 'path') return evaluatePath(node.path, current, root).map(valueText).join(' ')
      return evaluatePath(node.over, current, root)
        .map((value) => expandTemplate(node.body, value, root))
        .join('')
    })
    .join('')
}

/** Whether a node, or one within it, looks at the whole document by `$`. */
export function nodeLooksAtRoot(node: TemplateNode): boolean {
  if (node.type === 'text') return false
  if (node.type === 'path') return looksAtRoot(node.path)
  return looksAtRoot(node.over) || node.body.some(nodeLooksAtRoot)
}

function parseNodes(scanner: Scanner, isInRange: boolean): readonly TemplateNode[] {
  const nodes: TemplateNode[] = []
  for (;;) {
    const text = scanner.match(/[^{]+/y)
    if (text !== undefined) nodes.push({type: 'text', text})
    if (scanner.isAtEnd) {
      if (isInRange) scanner.fail('{end} is missing')
      return nodes
    }
    scanner.expect('{')
    scanner.skipSpace()
    if (scanner.match(/end\s*\}/y) !== undefined) {
      if (!isInRange) scanner.fail('{end} without {range} before')
      return nodes
    }
    nodes.push(...parseAction(scanner))
  }
}

function parseAction(scanner: Scanner): readonly TemplateNode[] {
  if (scanner.match(/range\s+/y) !== undefined) {
    const over = parsePath(scanner)
    closeAction(scanner)
    return [{type: 'range', over, body: parseNodes(scanner, true)}]
  }
  const nodes: TemplateNode[] = []
  while (!scanner.take('}')) {
    nodes.push(
      scanner.next === '"' || scanner.next === "'"
        ? {type: 'text', text: scanner.quoted()}
        : {type: 'path', path: parseActionPath(scanner)},
    )
    scanner.skipSpace()
  }
  return nodes
}

function parseActionPath(scanner: Scanner): JsonPath {
  if (scanner.isAtEnd) scanner.fail('} is missing')
  const before = scanner.rest
  const path = parsePath(scanner)
  if (scanner.rest === before) scanner.fail(`unexpected ${JSON.stringify(scanner.next)}`)
  return path
}

function closeAction(scanner: Scanner): void {
  scanner.skipSpace()
  scanner.expect('}')
}
