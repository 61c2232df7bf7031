import {RunError} from '../domain/failure.ts'
import type {JsonPath} from './jsonpath/json-path.ts'
import {parseWholePath} from './jsonpath/parse-path.ts'
import {JsonPathSyntaxError} from './jsonpath/scanner.ts'
import {parseTemplate, type TemplateNode} from './jsonpath/template.ts'

/** One column of `custom-columns`. */
export interface CustomColumn {
  readonly header: string
  readonly path: JsonPath
}

/** What `--output` chooses. */
export type OutputFormat =
  | {readonly type: 'table'}
  | {readonly type: 'wide'}
  | {readonly type: 'json'}
  | {readonly type: 'yaml'}
  | {readonly type: 'ndjson'}
  | {readonly type: 'name'}
  | {readonly type: 'pem'}
  | {readonly type: 'junit'}
  | {readonly type: 'sarif'}
  | {readonly type: 'prom'}
  | {readonly type: 'github'}
  | {readonly type: 'markdown'}
  | {readonly type: 'jsonpath'; readonly template: readonly TemplateNode[]}
  | {readonly type: 'custom-columns'; readonly columns: readonly CustomColumn[]}

const PLAIN = ['table', 'wide', 'json', 'yaml', 'ndjson', 'name'] as const

/** Formats that only some commands have. */
export type ExtraFormat = 'pem' | 'junit' | 'sarif' | 'prom' | 'github' | 'markdown'

/** The values of `--output`, as help and errors list them. */
export const OUTPUT_FORMATS: readonly string[] = [...PLAIN, 'jsonpath=TEMPLATE', 'custom-columns=NAME:.path,…']

/**
 * Reads a value of `--output`; `more` are formats that only some commands have. Throws RunError (usage) that lists the
 * valid ones, or says what a template lacks.
 */
export function parseOutputFormat(text: string, more: readonly ExtraFormat[] = []): OutputFormat {
  const plain = [...PLAIN, ...more].find((name) => name === text)
  if (plain !== undefined) return {type: plain}
  const [, name, rest] = /^(jsonpath|custom-columns)=(.+)$/s.exec(text) ?? []
  if (name === 'jsonpath' && rest !== undefined) {
    return {type: 'jsonpath', template: readOrUsage('jsonpath template', rest, parseTemplate)}
  }
  if (name === 'custom-columns' && rest !== undefined) {
    return {type: 'custom-columns', columns: readOrUsage('custom columns', rest, parseColumns)}
  }
  throw new RunError(
    2,
    'bad-output',
    `Bad value for --output: expected one of ${[...OUTPUT_FORMATS, ...more].join(', ')}, got ${JSON.stringify(text)}`,
  )
}

/** Reads a value of `--sort-by`: a path, with or without braces. Throws RunError (usage). */
export function parseSortBy(text: string): JsonPath {
  return readOrUsage('path for --sort-by', text, (path) => {
    const {steps, ...rest} = parseWholePath(path)
    if (steps.length === 0) throw new JsonPathSyntaxError('it names no field')
    return {...rest, steps}
  })
}

function parseColumns(text: string): readonly CustomColumn[] {
  return splitColumns(text).map((column) => {
    const [, header, path] = /^([^:]+):(.+)$/s.exec(column) ?? []
    if (header === undefined || path === undefined) {
      throw new JsonPathSyntaxError(`expected NAME:.path, got ${JSON.stringify(column)}`)
    }
    return {header, path: parseWholePath(path)}
  })
}

/** At the commas that are in no brackets, braces or quotes. */
function splitColumns(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /(?:\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]'"])*\]|\{[^}]*\}|[^,[{]|[[{])+|(?<=,|^)(?=,|$)/g,
    ),
  ].map(([column]) => column)
}

function readOrUsage<T>(what: string, text: string, read: (text: string) => T): T {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof JsonPathSyntaxError)) throw error
    throw new RunError(2, 'bad-output', `Cannot read the ${what} ${JSON.stringify(text)}: ${error.message}`, [], {
      cause: error,
    })
  }
}
