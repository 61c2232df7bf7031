import type {Readable} from 'node:stream'
import {ProbeError} from '../../domain/failure.ts'
import {explainRefusal} from '../explain-refusal.ts'
import {isWebPage} from '../foreign-text.ts'
import {isFields, type Fields} from '../narrow.ts'
import type {ApiResponse, KubeSession} from '../connect/session.ts'

/** An API server's answer, as an object: whole where the status is 200, else what there is of a Status object. */
export interface ApiObject {
  readonly status: number
  readonly object: Fields
  /** The refusal, worked out; absent where the status is 200. */
  readonly refusal?: ProbeError
}

const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * GETs one object (or one page of a list) and parses it. A refusal is returned, not thrown. Throws ProbeError where
 * no answer came, where it was cut off, is larger than `maxBytes`, or is no JSON object.
 */
export async function getObject(
  session: KubeSession,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ApiObject> {
  const response = await session.get(path, {signal})
  const {status, headers} = response
  if (status !== 200) {
    const body = (await readBytes(response.body, MAX_REFUSAL_BYTES)).bytes.toString('utf8')
    return {status, object: parseObject(body) ?? {}, refusal: explainRefusal({status, headers, body, path})}
  }
  return {status, object: await readObject(response, path, maxBytes)}
}

async function readObject(response: ApiResponse, path: string, maxBytes: number): Promise<Fields> {
  const {bytes, isWhole} = await readBytes(response.body, maxBytes)
  const what = `the answer to GET ${path.split('?', 1)[0]}`
  if (!isWhole) throw unreadable('too-large', `Cannot read ${what}: it is larger than ${maxBytes} bytes`)
  const text = bytes.toString('utf8')
  const object = parseObject(text)
  if (object !== undefined) return object
  if (text.trim() === '') throw unreadable('empty-answer', `Cannot read ${what}: it is empty`)
  const type = response.headers['content-type']
  if (isWebPage(typeof type === 'string' ? type : undefined, text)) {
    const hint = 'A gateway or a login page answers for the API server: check the server address, and log in'
    throw unreadable('proxy-in-between', `Cannot read ${what}: it is a web page, not from the API server`, hint)
  }
  throw unreadable('bad-payload', `Cannot read ${what}: it is no JSON object`)
}

function unreadable(
  code: 'too-large' | 'empty-answer' | 'proxy-in-between' | 'bad-payload',
  message: string,
  hint?: string,
): ProbeError {
  return new ProbeError({stage: 'fetch', code, message, ...(hint === undefined ? {} : {hint})})
}

async function readBytes(body: Readable, maxBytes: number): Promise<{bytes: Buffer; isWhole: boolean}> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) return {bytes: Buffer.concat(chunks), isWhole: false}
    chunks.push(chunk)
  }
  return {bytes: Buffer.concat(chunks), isWhole: true}
}

function parseObject(text: string): Fields | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isFields(value) ? value : undefined
}
