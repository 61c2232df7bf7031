import {isRecord, type JsonRecord} from '../json/narrow.ts'
import {parseRecord} from '../json/parse-record.ts'
import {firstLine} from '../text/first-line.ts'

/** What a readiness endpoint says in its text, whatever its status. */
export interface TextVerdict {
  readonly isBad: boolean
  /** In one line; empty where it says nothing. */
  readonly words: string
}

/** Envoy's states but LIVE (`envoy.admin.v3.ServerInfo.State`), ztunnel's `not ready, …`, and what wrappers write. */
const BAD_TEXT = /^(?:(?:PRE_)?INITIALIZING|DRAINING)$|^(?:error|err|fail|failed|failure|not ready|unhealthy)\b/i

/** Of `application/health+json` and those like it (draft-inadarei-api-health-check, Spring, terminus). */
const BAD_STATUS = /^(?:fail(?:ed|ure)?|error|down|unhealthy|critical|out_of_service|not_?ready)$/i

/** Reads the text of a readiness endpoint. */
export function readVerdict(text: string): TextVerdict {
  const document = text.trimStart().startsWith('{') ? parseRecord(text) : undefined
  if (document === undefined) {
    const words = firstLine(text)
    return {isBad: BAD_TEXT.test(words), words}
  }
  const {status} = document
  const isBad = typeof status === 'string' && BAD_STATUS.test(status)
  return {isBad, words: firstLine(wordsOf(document))}
}

/** `status fail, sds warming`: its status, and its checks where they are told in a word. */
function wordsOf({status, checks}: JsonRecord): string {
  const told = isRecord(checks) ? Object.entries(checks) : []
  const words = told.flatMap(([name, state]) => (typeof state === 'string' ? [`${name} ${state}`] : []))
  return [...(typeof status === 'string' ? [`status ${status}`] : []), ...words].join(', ')
}
