import stringWidth from 'string-width'

/** Characters as a reader counts them: an emoji or a letter with its accents is one. */
const characters = new Intl.Segmenter('en', {granularity: 'grapheme'})

/** Text as lines of at most `width` characters on a screen (1 or more), broken after blanks, commas and slashes if it can be. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  const close = (): void => {
    lines.push(line.trimEnd())
    line = ''
  }
  for (const [word] of text.matchAll(/[^ ,/]*[ ,/]?/g)) {
    if (stringWidth(line) + stringWidth(word.trimEnd()) <= width) {
      line += word
      continue
    }
    if (line !== '') close()
    for (const {segment} of characters.segment(word)) {
      if (stringWidth(line) + stringWidth(segment) > width && line !== '') close()
      line += segment
    }
  }
  if (line !== '' || lines.length === 0) close()
  return lines
}
