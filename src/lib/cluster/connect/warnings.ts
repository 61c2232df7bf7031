import {scrubMessage} from '../../scrub/scrub-message.ts'

/**
 * The texts of a server's `Warning: 299` headers (RFC 7234 5.5, as Kubernetes sends them: `299 - "text"`, several in
 * one header separated by commas). Other codes, and what does not parse, are passed over as client-go does.
 */
export function readWarnings(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '')
  const found: string[] = []
  for (const [, code, quoted] of text.matchAll(/(?:^|,)\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g)) {
    const warning = quoted?.replace(/\\(.)/g, '$1').trim() ?? ''
    if (code === '299' && warning !== '') found.push(scrubMessage(warning))
  }
  return found
}
