import {escapeText} from './escape-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}

/** Characters that no XML 1.0 text may hold, in any form, and that `escapeText` lets through. */
const NO_CHARACTER = /[\uFFFE\uFFFF]/g

/** Foreign text as one line of an XML text or attribute: what cannot be seen, or may not stand there, is spelled out. */
export function escapeXml(text: string): string {
  return escapeText(text)
    .replace(NO_CHARACTER, (one) => String.raw`\u` + one.charCodeAt(0).toString(16))
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one)
}
