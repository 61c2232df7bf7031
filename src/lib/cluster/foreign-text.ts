import {scrubMessage} from '../scrub/scrub-message.ts'

const LONGEST = 300

/** One line of someone else's text, for a message: without key material, blanks folded, at most 300 characters. */
export function oneLine(text: string): string {
  const line = scrubMessage(text).replaceAll(/\s+/gu, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** A web page, which no API server, kubelet or agent sends here. */
export function isWebPage(contentType: string | undefined, body: string): boolean {
  return contentType?.includes('html') === true || /^\s*<(?:!doctype|html|head|body)/iu.test(body)
}
