import {open} from 'node:fs/promises'
import type {Document, Node, Scalar} from 'yaml'
import {errorCode} from '../cluster/error-text.ts'
import {RunError} from '../domain/failure.ts'
import type {AcceptedEntry} from '../judge/accepted-findings.ts'
import {isRuleName, ruleHint} from './rule-name.ts'

/** Far more than anybody accepts. */
const MAX_FILE_BYTES = 1024 * 1024

const KEYS = ['rule', 'context', 'namespace', 'pod', 'subject', 'secret', 'reason', 'until'] as const
const NEEDED = ['rule', 'reason', 'until'] as const

/** An entry, and where it stands. */
export interface FileEntry extends AcceptedEntry {
  readonly line: number
}

/** Reads a list of accepted findings, YAML or JSON. Throws RunError (usage) that names line and column. */
export async function readAcceptFile(path: string): Promise<readonly FileEntry[]> {
  const text = await readText(path)
  // Loaded by who accepts something: it is no small part of the program.
  const {isMap, isScalar, isSeq, LineCounter, parseDocument} = await import('./yaml.ts')
  const lines = new LineCounter()
  const document: Document = parseDocument(text, {lineCounter: lines, prettyErrors: false, version: '1.2'})
  const at = (offset: number): string => {
    const {line, col} = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  const refuse = (offset: number, problem: string, hint?: string): RunError =>
    new RunError(2, 'bad-accept', `--accept: ${at(offset)}: ${problem}`, hint === undefined ? [] : [hint])
  const [broken] = document.errors
  if (broken !== undefined) throw refuse(broken.pos[0], broken.message)
  const list = document.contents
  if (!isSeq(list)) throw refuse(startOf(list), 'expected a list of accepted findings', EXAMPLE)
  return list.items.map((item) => {
    if (!isMap(item)) throw refuse(startOf(item), 'expected an accepted finding: rule, reason, until', EXAMPLE)
    const values = new Map<string, {readonly text: string; readonly offset: number}>()
    for (const {key, value} of item.items) {
      const name = isScalar(key) ? key.value : undefined
      if (!KEYS.some((known) => known === name))
        throw refuse(startOf(key), `unknown key ${JSON.stringify(name ?? null)}: expected one of ${KEYS.join(', ')}`)
      if (!isScalar(value) || !isText(value)) throw refuse(startOf(value ?? key), `${String(name)} has to be a text`)
      values.set(String(name), {text: value.value, offset: startOf(value)})
    }
    const start = startOf(item)
    for (const name of NEEDED) if (!values.has(name)) throw refuse(start, `${name} is missing`, EXAMPLE)
    const rule = values.get('rule')
    if (rule !== undefined && !isRuleName(rule.text))
      throw refuse(rule.offset, `there is no rule ${JSON.stringify(rule.text)}`, ruleHint(rule.text))
    const until = values.get('until')
    if (until !== undefined && !isDay(until.text))
      throw refuse(until.offset, `until has to be a day such as 2026-12-31, got ${JSON.stringify(until.text)}`)
    const of = (name: (typeof KEYS)[number]): string => values.get(name)?.text ?? ''
    return {
      rule: of('rule'),
      reason: of('reason'),
      until: of('until'),
      ...Object.fromEntries([...values].map(([name, {text: value}]) => [name, value])),
      line: lines.linePos(start).line,
    }
  })
}

const EXAMPLE = '- {rule: not-compared, namespace: shop, reason: certificates from SPIRE, until: 2026-12-31}'

function isText(scalar: Scalar): scalar is Scalar<string> {
  return typeof scalar.value === 'string' && scalar.value.trim() !== ''
}

/** Whether it is a day that there is: no 30 February. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

function startOf(node: unknown): number {
  const range = isNode(node) ? node.range : undefined
  return range?.[0] ?? 0
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && 'range' in value
}

async function readText(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const {bytesRead, buffer} = await file.read({buffer: Buffer.alloc(MAX_FILE_BYTES + 1)})
    if (bytesRead > MAX_FILE_BYTES) throw new RunError(2, 'bad-accept', `--accept: ${path} is larger than 1 MiB`)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } catch (error) {
    const code = errorCode(error)
    if (error instanceof RunError || code === '') throw error
    throw new RunError(2, 'bad-accept', `--accept: cannot read ${path}: ${code === 'ENOENT' ? 'no such file' : code}`)
  }
}
