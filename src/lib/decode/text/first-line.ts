const MAX_LENGTH = 200

/**
 * The first line of a foreign text that says something, for a message: no HTML tags (a page's title instead), no line
 * break, not too long, without a full stop at its end.
 */
export function firstLine(text: string): string {
  const plain = isHtml(text) ? htmlTitle(text) : text
  const line = plain
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .find((part) => part !== '')
  if (line === undefined) return ''
  const short = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
  return short.replace(/[.:]+$/, '')
}

/** Whether a text is a page for a browser. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html|head|body|!--)/i.test(text)
}

function htmlTitle(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim()
  if (title !== undefined && title !== '') return title
  return html
    .replaceAll(/<(?:script|style)[^>]*>[^]*?(?:<\/(?:script|style)>|$)/gi, ' ')
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
}
