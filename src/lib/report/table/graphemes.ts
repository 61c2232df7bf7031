const PLAIN = /^[\x20-\x7e]*$/

/**
 * Characters as a reader counts them: an emoji or a letter with its accents is one. Rules for that are only got ready
 * where a text needs them: it takes milliseconds.
 */
export function graphemes(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.split('')
  const characters = new Intl.Segmenter('en', {granularity: 'grapheme'})
  return Array.from(characters.segment(text), ({segment}) => segment)
}
