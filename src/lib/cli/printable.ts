import {escapeText} from '../report/escape-text.ts'

/** Text that may hold foreign parts, made safe for a terminal; line breaks stay. */
export function printable(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeText(line))
    .join('\n')
}
