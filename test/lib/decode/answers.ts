import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {isRecord, type JsonRecord} from '../../../src/lib/decode/json/narrow.ts'
import type {Answer, AnswerPart} from '../../../src/lib/domain/answer.ts'
import type {Route, Side, Source} from '../../../src/lib/domain/question.ts'

export const FIXTURES = join(import.meta.dirname, '../../fixtures/decode')

export interface PartOptions {
  readonly path?: string
  readonly status?: number
  readonly dateMs?: number
  readonly receivedMs?: number
  /** Bytes a chunk; a prime splits everything somewhere. */
  readonly chunkBytes?: number
}

export interface AnswerOptions {
  readonly route?: Route
  readonly side?: Side
}

export const RECEIVED_MS = Date.parse('2026-06-01T00:00:00Z')

export function answerOf(source: Source, parts: readonly AnswerPart[], options: AnswerOptions = {}): Answer {
  const {route = 'file', side = 'proxy'} = options
  return {
    question: {
      source,
      side,
      container: 'istio-proxy',
      forms: [{type: 'http', port: 15_000, paths: ['/'], bindsToPod: false, refusals: []}],
      routes: [route],
      maxBytes: 1_000_000_000,
    },
    form: 0,
    route,
    parts: each(parts),
  }
}

export function partOf(content: string | Uint8Array, options: PartOptions = {}): AnswerPart {
  const {path = '/config_dump', status = 200, receivedMs = RECEIVED_MS, dateMs, chunkBytes = 777} = options
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return {path, status, receivedMs, ...(dateMs === undefined ? {} : {dateMs}), body: chunksOf(bytes, chunkBytes)}
}

/** A fixture as a part; one that begins with a status line is a saved HTTP answer. */
export function fixturePart(file: string, options: PartOptions = {}): AnswerPart {
  const bytes = readFixture(file)
  const head = /^HTTP (\d+)\n[^]*?\n\n/.exec(bytes.toString('latin1'))
  const path = options.path ?? file.slice(file.lastIndexOf('/') + 1)
  if (head === null) return partOf(bytes, {...options, path})
  return partOf(bytes.subarray(head[0].length), {status: Number(head[1]), ...options, path})
}

export function readFixture(file: string): Buffer {
  return readFileSync(join(FIXTURES, file))
}

/** A JSON fixture that is an object. */
export function readFixtureRecord(file: string): JsonRecord {
  const value: unknown = JSON.parse(readFixture(file).toString())
  if (!isRecord(value)) throw new TypeError(`${file} is no JSON object`)
  return value
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item)
}

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield await Promise.resolve(bytes.subarray(start, start + chunkBytes))
  }
}
