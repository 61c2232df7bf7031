import {readHttpHeaders} from '../connect/http-headers.ts'

/** An HTTP answer's head as text, read; `undefined` where there is none. */
export interface HttpHead {
  readonly status: number
  readonly contentType?: string
  readonly dateMs?: number
  readonly contentLength?: number
}

/** Reads a head, from its status line on; of names that come twice the last counts. */
export function readHttpHead(text: string): HttpHead | undefined {
  const [statusLine = '', ...lines] = text.split(/\r?\n/u)
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})\b/u.exec(statusLine)?.[1]
  if (status === undefined) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const length = headers.get('content-length')
  return {
    status: Number(status),
    ...readHttpHeaders({'content-type': headers.get('content-type'), date: headers.get('date')}),
    ...(length !== undefined && /^\d{1,15}$/u.test(length) && {contentLength: Number(length)}),
  }
}
