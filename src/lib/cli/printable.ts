/** Characters that could move the cursor, hide text or reorder it: C0 and C1 but tab and newline, bidi, zero-width. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu

/** Text that may hold foreign parts, made safe for a terminal; line breaks stay. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}
